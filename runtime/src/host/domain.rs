//! What parallel loops run over, cut into ranges of iteration numbers.

use std::ops::{Range, RangeInclusive};

use crate::kernel::domain::ZERO_STEP;
use crate::kernel::shown::{self, Argument};

/// An integer type that a loop variable can have.
#[diagnostic::on_unimplemented(
    message = "a loop of a kernel counts integers of up to 64 bits, not `{Self}`",
    label = "count integers, and compute with `as` what you need"
)]
pub trait LoopInt: Copy {
    /// Number of values of `(start..end).step_by(step)`, or of `(start..=end).step_by(step)`; capped at
    /// `usize::MAX`.
    ///
    /// # Panics
    /// If `step` is 0: a kernel fails before.
    fn count(start: Self, end: Self, inclusive: bool, step: usize) -> usize;

    /// Value number `k` of that range, for `k` below its count.
    fn nth(start: Self, k: usize, step: usize) -> Self;

    /// As a value of a message.
    fn shown(self) -> Argument;
}

macro_rules! loop_int {
    ($($int:ty as $unsigned:ty),*) => {$(
        impl LoopInt for $int {
            #[inline(always)]
            fn count(start: $int, end: $int, inclusive: bool, step: usize) -> usize {
                assert!(step != 0, "{ZERO_STEP}");
                if start > end || (start == end && !inclusive) {
                    return 0;
                }
                // As unsigned numbers the distance fits whatever the signs are.
                let distance = end.wrapping_sub(start) as $unsigned as usize;
                if inclusive { (distance / step).saturating_add(1) } else { (distance - 1) / step + 1 }
            }

            #[inline(always)]
            fn nth(start: $int, k: usize, step: usize) -> $int {
                start.wrapping_add(k.wrapping_mul(step) as $int)
            }

            #[cold]
            fn shown(self) -> Argument {
                shown::display(&self)
            }
        }
    )*};
}

loop_int!(
    i8 as u8,
    i16 as u16,
    i32 as u32,
    i64 as u64,
    isize as usize,
    u8 as u8,
    u16 as u16,
    u32 as u32,
    u64 as u64,
    usize as usize
);

/// A range with its end. Its values are counted: LLVM neither vectorises nor writes out a loop over such a range, whose end is a flag.
#[derive(Clone, Debug)]
pub struct Inclusive<T> {
    range: RangeInclusive<T>,
    reverse: bool,
}

/// The loop over a range with its end, backwards if `reverse` is set.
#[inline(always)]
pub fn inclusive<T>(range: RangeInclusive<T>, reverse: bool) -> Inclusive<T> {
    Inclusive { range, reverse }
}

impl<T: LoopInt> IntoIterator for Inclusive<T> {
    type Item = T;
    type IntoIter = Counted<T>;

    #[inline(always)]
    fn into_iter(self) -> Counted<T> {
        let (start, end) = self.range.into_inner();
        Counted {
            start,
            end,
            numbers: 0..T::count(start, end, true, 1),
            reverse: self.reverse,
        }
    }
}

/// The values of an [`Inclusive`].
#[derive(Clone, Debug)]
pub struct Counted<T> {
    start: T,
    end: T,
    numbers: Range<usize>,
    reverse: bool,
}

impl<T: LoopInt> Iterator for Counted<T> {
    type Item = T;

    #[inline(always)]
    fn next(&mut self) -> Option<T> {
        let number = self.numbers.next();
        number.map(|k| match self.reverse {
            true => T::nth(self.end, 0_usize.wrapping_sub(k), 1),
            false => T::nth(self.start, k, 1),
        })
    }
}

/// A range whose ends can be read.
#[diagnostic::on_unimplemented(
    message = "`.step_by(n).rev()` needs a range of known length, which `{Self}` is not in Rust",
    label = "count `usize`, or integers of at most 32 bits, and compute with `as` what you need"
)]
pub trait Ends: ExactSizeIterator + DoubleEndedIterator {
    /// Its least number, the one at its end, and whether it has that.
    fn ends(self) -> (Self::Item, Self::Item, bool);
}

impl<T: LoopInt> Ends for Range<T>
where
    Self: ExactSizeIterator<Item = T> + DoubleEndedIterator,
{
    #[inline(always)]
    fn ends(self) -> (T, T, bool) {
        (self.start, self.end, false)
    }
}

impl<T: LoopInt> Ends for RangeInclusive<T>
where
    Self: ExactSizeIterator<Item = T> + DoubleEndedIterator,
{
    #[inline(always)]
    fn ends(self) -> (T, T, bool) {
        let (start, end) = self.into_inner();
        (start, end, true)
    }
}

/// The loop over `range.step_by(step).rev()`, or over `range.rev().step_by(step).rev()` if `reverse` is set. Its values are counted once: the
/// standard library divides for each.
///
/// # Panics
/// If `step` is 0: a kernel fails before.
#[inline(always)]
pub fn turned<R: Ends<Item: LoopInt>>(range: R, reverse: bool, step: usize) -> Turned<R::Item> {
    let (start, end, inclusive) = range.ends();
    let numbers = 0..R::Item::count(start, end, inclusive, step);
    match reverse {
        false => Turned {
            last: start,
            by: step,
            numbers,
        },
        true => Turned {
            last: R::Item::nth(end, usize::from(!inclusive), usize::MAX),
            by: 0_usize.wrapping_sub(step),
            numbers,
        },
    }
}

/// The values of a loop with a step, from the last one.
#[derive(Clone, Debug)]
pub struct Turned<T> {
    last: T,
    by: usize,
    numbers: Range<usize>,
}

impl<T: LoopInt> Iterator for Turned<T> {
    type Item = T;

    #[inline(always)]
    fn next(&mut self) -> Option<T> {
        let number = self.numbers.next_back();
        number.map(|k| T::nth(self.last, k, self.by))
    }
}

/// Cuts a range of row-major positions in `shape` into pieces of rows.
///
/// Each item is the position of the piece's row, with 0 for the last axis, and the piece's range on the last axis. For
/// rank 0 that range is the given one.
#[inline]
#[must_use]
pub fn rows<const D: usize>(shape: [usize; D], range: Range<usize>) -> Rows<D> {
    let mut lead = [0; D];
    let mut first = range.start;
    let left = range.len();
    if left > 0 && D > 0 {
        let mut row = range.start / shape[D - 1];
        first = range.start % shape[D - 1];
        for axis in (0..D - 1).rev() {
            lead[axis] = row % shape[axis];
            row /= shape[axis];
        }
    }
    Rows {
        shape,
        lead,
        first,
        left,
    }
}

/// The iterator of [`rows`].
#[derive(Clone, Debug)]
pub struct Rows<const D: usize> {
    shape: [usize; D],
    lead: [usize; D],
    first: usize,
    left: usize,
}

impl<const D: usize> Iterator for Rows<D> {
    type Item = ([usize; D], Range<usize>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            return None;
        }
        let length = if D == 0 {
            self.left
        } else {
            self.left.min(self.shape[D - 1] - self.first)
        };
        let item = (self.lead, self.first..self.first + length);
        self.left -= length;
        self.first = 0;
        for axis in (0..D.saturating_sub(1)).rev() {
            self.lead[axis] += 1;
            if self.lead[axis] < self.shape[axis] {
                break;
            }
            self.lead[axis] = 0;
        }
        Some(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_from_the_last() {
        macro_rules! check {
            ($($range:expr),*) => {$(
                for step in [1, 2, 3, 7, 254, 255, 256, 1 << 62, usize::MAX] {
                    let range = $range;
                    if range.len() / step > 1000 {
                        continue;
                    }
                    let all: Vec<_> = turned(range.clone(), false, step).collect();
                    assert_eq!(all, range.clone().step_by(step).rev().collect::<Vec<_>>());
                    let back: Vec<_> = turned(range.clone(), true, step).collect();
                    assert_eq!(back, range.rev().step_by(step).rev().collect::<Vec<_>>());
                }
            )*};
        }
        #[allow(clippy::reversed_empty_ranges)]
        {
            check!(
                -3..4_i32,
                i32::MIN..i32::MAX,
                0..u8::MAX,
                0..=u8::MAX,
                i8::MIN..=i8::MAX,
                i16::MIN..=i16::MAX,
                u16::MAX..=u16::MAX,
                usize::MAX - 9..usize::MAX,
                0..usize::MAX,
                isize::MIN..isize::MAX,
                isize::MIN..isize::MIN,
                5..4_usize,
                0..1_usize
            );
        }
    }

    #[test]
    fn ranges_with_their_ends() {
        macro_rules! check {
            ($($range:expr),*) => {$(
                let all: Vec<_> = inclusive($range, false).into_iter().collect();
                assert_eq!(all, $range.collect::<Vec<_>>());
                let back: Vec<_> = inclusive($range, true).into_iter().collect();
                assert_eq!(back, $range.rev().collect::<Vec<_>>());
            )*};
        }
        #[allow(clippy::reversed_empty_ranges)]
        {
            check!(
                -3..=4_i32,
                0..=u8::MAX,
                i8::MIN..=i8::MAX,
                u64::MAX - 2..=u64::MAX,
                5..=4_usize,
                i64::MIN..=i64::MIN
            );
        }
        let mut last = inclusive(0..=u64::MAX, true).into_iter();
        assert_eq!((last.next(), last.next()), (Some(u64::MAX), Some(u64::MAX - 1)));
        let mut last = inclusive(i64::MIN..=i64::MAX, true).into_iter();
        assert_eq!(last.next(), Some(i64::MAX));
        assert_eq!(inclusive(i64::MIN..=i64::MAX, false).into_iter().next(), Some(i64::MIN));
    }
}
