//! Indices of a block of iterations, looked at before the block runs: the largest of them tells whether all are in bounds, and to find it is a
//! loop that LLVM vectorises, without a jump for each. So for tables that indices come from, before the whole loop.

use crate::access::layout::Layout;
use crate::access::{Access, Position};
use crate::element::KernelType;
use crate::element::enumeration::Enumeration;
use crate::host::parallel::reduce_in_versions;
use crate::versions::Begins;

/// Iterations that are looked at together: what they read stays in the first cache.
pub const BLOCK: usize = 256;

/// Entries of a table for each iteration of a loop, at most: to look at more of them may take longer than their checks.
const WORTH: usize = 8;

/// What an index may be cast from.
pub trait Bounded: Copy + Send + Sync {
    /// As unsigned number of the same size, where a negative one is larger than all others.
    type Unsigned: Copy + Ord + Into<Largest> + Send;

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

impl<E: Enumeration<Number: Bounded>> Bounded for E {
    type Unsigned = <E::Number as Bounded>::Unsigned;
    const NONE: Self::Unsigned = <E::Number as Bounded>::NONE;
    const NEGATIVE: u64 = <E::Number as Bounded>::NEGATIVE;

    #[inline(always)]
    fn unsigned(self) -> Self::Unsigned {
        self.number().unsigned()
    }
}

/// A closure of an iteration's number.
#[inline(always)]
pub fn iteration<R, F: Fn(usize) -> R>(closure: F) -> F {
    closure
}

/// Nothing if an operator on these operands is not that of numbers: such a one may have effects, or another value next time.
#[inline(always)]
#[must_use]
pub fn arithmetic<A: KernelType, B: KernelType>(_: &A, _: &B) -> Option<()> {
    if A::BUILT_IN && B::BUILT_IN { Some(()) } else { None }
}

/// What was looked at before.
#[inline(always)]
pub fn looked_at<T>(value: Option<T>) -> T {
    match value {
        Some(value) => value,
        None => unreachable!("a block whose indices could not be looked at does not run"),
    }
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
        // One comparison, with a number that is the same for all iterations.
        largest < B::NEGATIVE.min(extent as u64)
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

/// The largest entry of a table, for a loop of `n` iterations; `None` if the table is too long for it, or scattered in memory.
#[must_use]
pub fn largest<B: Bounded, const D: usize, L: Layout>(table: Access<'_, B, D, L>, n: usize) -> Option<Most<B>> {
    let list = table.list()?;
    if list.len() > n.saturating_mul(WORTH) {
        return None;
    }
    let largest = reduce_in_versions::<{ cfg!(not(debug_assertions)) }, _, 0, 0>(
        list.len(),
        Some(1),
        Begins::NONE,
        || B::NONE,
        #[inline(always)]
        |_, _, range, largest| {
            // SAFETY: positions of the list, which nobody writes during the launch.
            let entries = range.map(|k| unsafe { *list.unchecked(k) });
            entries.fold(largest, |largest, entry| largest.max(entry.unsigned()))
        },
        Ord::max,
    );
    Some(Most { largest })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::layout::{Steps, Strided};

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
    fn tables_in_one_piece_are_looked_at() {
        let entries: Vec<i16> = (0..1000).map(|k| k * 7 % 1000).collect();
        let first = entries.as_ptr().cast_mut();
        let below = |table: Option<Most<i16>>, extent| table.map(|most| most.below(extent));
        // SAFETY: as many elements, which are only read.
        let cube: Access<'_, i16, 3> = unsafe { Access::new(first, [10, 20, 5]) };
        assert_eq!(below(largest(cube, 125), 1000), Some(true));
        assert_eq!(below(largest(cube, 125), 999), Some(false));
        assert!(largest(cube, 124).is_none());
        let strided = |strides: [isize; 2], shape| {
            // SAFETY: elements of `entries`.
            let table: Access<'_, i16, 2, Strided> =
                unsafe { Access::with_steps(first, shape, Steps::of(strides.map(|stride| 2 * stride))) };
            below(largest(table, 1000), 1000)
        };
        assert_eq!(strided([20, 1], [50, 20]), Some(true));
        assert_eq!(strided([7, 1], [1, 20]), Some(true));
        assert_eq!(strided([1, 50], [50, 20]), None);
        assert_eq!(strided([40, 2], [25, 20]), None);
        // SAFETY: no elements.
        let none: Access<'_, i16, 2> = unsafe { Access::new(first, [0, 7]) };
        assert_eq!(below(largest(none, 0), 1), Some(true));
    }

    #[test]
    fn axes_are_apart() {
        let mut most = MostOf::<2>::new();
        most.take([3, 1]);
        most.take([0, 6]);
        assert!(most.inside([4, 7]) && !most.inside([3, 7]) && !most.inside([4, 6]));
    }
}
