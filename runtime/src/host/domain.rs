//! What parallel loops run over, cut into ranges of iteration numbers.

use std::ops::Range;

/// An integer type that a loop variable can have.
pub trait LoopInt: Copy {
    /// Number of values of `(start..end).step_by(step)`, or of `(start..=end).step_by(step)`; capped at
    /// `usize::MAX`.
    ///
    /// # Panics
    /// If `step` is 0, as `step_by` does.
    fn count(start: Self, end: Self, inclusive: bool, step: usize) -> usize;

    /// Value number `k` of that range, for `k` below its count.
    fn nth(start: Self, k: usize, step: usize) -> Self;
}

macro_rules! loop_int {
    ($($int:ty as $unsigned:ty),*) => {$(
        impl LoopInt for $int {
            #[inline(always)]
            fn count(start: $int, end: $int, inclusive: bool, step: usize) -> usize {
                assert!(step != 0, "the step of a loop is zero");
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
