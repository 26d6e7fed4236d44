//! Reads that an iteration begins with, whether it comes to where they stand or not.

/// What was read ahead, if it is smaller than what vector registers read under a mask, and how it is read.
#[derive(Clone, Copy, Debug)]
pub struct Eager<T, R> {
    value: Option<T>,
    read: R,
}

impl<T: Copy, R: Fn() -> T> Eager<T, R> {
    /// Reads it, or leaves that to [`Eager::get`].
    #[inline(always)]
    pub fn new(read: R) -> Self {
        let value = (size_of::<T>() < size_of::<f32>()).then(&read);
        Eager { value, read }
    }

    /// The value.
    #[inline(always)]
    pub fn get(eager: &Self) -> T {
        match eager.value {
            Some(value) => value,
            None => (eager.read)(),
        }
    }
}
