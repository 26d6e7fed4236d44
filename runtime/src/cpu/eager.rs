//! Reads that an iteration begins with, whether it comes to where they stand or not.

/// A value that was read ahead, if it is smaller than what vector registers read under a mask.
#[derive(Clone, Copy, Debug)]
pub struct Eager<T>(Option<T>);

impl<T: Copy> Eager<T> {
    /// Reads it, or leaves that to [`Eager::or`].
    #[inline(always)]
    pub fn new(read: impl FnOnce() -> T) -> Self {
        Eager((size_of::<T>() < size_of::<f32>()).then(read))
    }

    /// The value.
    #[inline(always)]
    pub fn or(self, read: impl FnOnce() -> T) -> T {
        match self.0 {
            Some(value) => value,
            None => read(),
        }
    }
}
