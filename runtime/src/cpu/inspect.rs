//! Indices of a block of iterations, looked at before the block runs: the largest of them tells whether all are in bounds, and to find it is a
//! loop that LLVM vectorises, without a jump for each.

use super::access::Position;

/// Iterations that are looked at together: what they read stays in the first cache.
pub const BLOCK: usize = 256;

/// What an index may be cast from.
pub trait Bounded: Copy {
    /// As unsigned number of the same size, where a negative one is larger than all others.
    type Unsigned: Copy + Ord + Into<Largest>;

    /// The number among the unsigned ones.
    fn unsigned(self) -> Self::Unsigned;

    /// Zero.
    const NONE: Self::Unsigned;
    /// From here on a number is no index of any field.
    const NEGATIVE: u64;
}

/// An unsigned number, whatever its size was.
#[derive(Clone, Copy)]
pub struct Largest(u64);

macro_rules! largest {
    ($($int:ty),*) => {$(
        impl From<$int> for Largest {
            #[inline(always)]
            fn from(number: $int) -> Largest {
                Largest(number as u64)
            }
        }
    )*};
}
largest!(u8, u16, u32, u64);

macro_rules! bounded {
    ($($source:ty as $($by:ident)? -> $unsigned:ty, $negative:expr;)*) => {$(
        impl Bounded for $source {
            type Unsigned = $unsigned;
            const NONE: $unsigned = 0;
            const NEGATIVE: u64 = $negative;

            #[inline(always)]
            fn unsigned(self) -> $unsigned {
                (self $(as $by)?) as $unsigned
            }
        }
    )*};
}
// No field has as many elements as `isize` has numbers, unless they have no size: these are checked one by one.
const LAST: u64 = 1 << 63;
bounded! {
    u8 as -> u8, LAST;
    u16 as -> u16, LAST;
    u32 as -> u32, LAST;
    u64 as -> u64, LAST;
    usize as -> u64, LAST;
    i8 as -> u8, 1 << 7;
    i16 as -> u16, 1 << 15;
    i32 as -> u32, 1 << 31;
    i64 as -> u64, LAST;
    isize as -> u64, LAST;
    bool as u8 -> u8, LAST;
    f32 as usize -> u64, LAST;
    f64 as usize -> u64, LAST;
}

/// The largest of the numbers that become an index on one axis.
pub struct Most<B: Bounded> {
    largest: B::Unsigned,
}

impl<B: Bounded> Most<B> {
    /// Of none.
    #[inline(always)]
    #[must_use]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Most { largest: B::NONE }
    }

    /// And of this.
    #[inline(always)]
    pub fn take(&mut self, number: B) {
        self.largest = self.largest.max(number.unsigned());
    }

    /// Whether all of them, as `usize`, are below `extent`.
    #[inline(always)]
    pub fn below(&self, extent: usize) -> bool {
        let Largest(largest) = self.largest.into();
        largest < B::NEGATIVE && largest < extent as u64
    }
}

/// The largest numbers of indices on each axis.
pub struct MostOf<const D: usize> {
    largest: [usize; D],
}

impl<const D: usize> MostOf<D> {
    /// Of none.
    #[inline(always)]
    #[must_use]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        MostOf { largest: [0; D] }
    }

    /// And of this.
    #[inline(always)]
    pub fn take<I: Position<D>>(&mut self, index: I) {
        for (largest, index) in self.largest.iter_mut().zip(index.axes()) {
            *largest = index.max(*largest);
        }
    }

    /// Whether all of them are in `shape`.
    #[inline(always)]
    #[must_use]
    pub fn inside(&self, shape: [usize; D]) -> bool {
        (0..D).all(|k| self.largest[k] < shape[k])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn below<B: Bounded>(numbers: &[B], extent: usize) -> bool {
        let mut most = Most::new();
        numbers.iter().for_each(|number| most.take(*number));
        most.below(extent)
    }

    #[test]
    fn the_largest_decides() {
        assert!(below::<u32>(&[], 1) && !below::<u32>(&[], 0));
        assert!(below(&[3_u32, 7, 1], 8) && !below(&[3_u32, 7, 1], 7));
        assert!(below(&[3_i32, 7, 1], 8) && !below(&[3_i32, 7, 1], 7));
        assert!(below(&[255_u8, 0], 256) && !below(&[255_u8, 0], 255));
        assert!(below(&[2.9_f32, -4.0], 3) && !below(&[2.9_f32, 3.0], 3) && !below(&[f32::INFINITY], usize::MAX));
        assert!(!below(&[u64::MAX], usize::MAX));
    }

    #[test]
    fn a_negative_number_is_no_index() {
        assert!(!below(&[-1_i8], usize::MAX));
        assert!(!below(&[5_i16, -1], usize::MAX));
        assert!(!below(&[i32::MIN, 3], usize::MAX));
        assert!(!below(&[-1_i64], usize::MAX) && !below(&[-1_isize], usize::MAX));
        assert!(below(&[i8::MAX], 128) && below(&[i32::MAX], 1 << 31));
    }

    #[test]
    fn axes_are_apart() {
        let mut most = MostOf::<2>::new();
        most.take([3, 1]);
        most.take([0, 6]);
        assert!(most.inside([4, 7]) && !most.inside([3, 7]) && !most.inside([4, 6]));
    }
}
