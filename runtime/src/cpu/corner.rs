//! Indices in sequential loops, compared in front of them.

use std::any::TypeId;
use std::mem::transmute_copy;
use std::ops::Range;

/// A sum that an index is: its least value, modulo 2^64, and how much more it may be.
#[derive(Clone, Copy)]
pub struct Corner {
    least: usize,
    more: usize,
    /// Whether all parts are of the type of an index.
    known: bool,
}

impl Corner {
    /// No parts yet.
    pub const ZERO: Corner = Corner {
        least: 0,
        more: 0,
        known: true,
    };

    /// A number.
    #[inline(always)]
    #[must_use]
    pub fn number(self, number: usize) -> Corner {
        Corner {
            least: self.least.wrapping_add(number),
            ..self
        }
    }

    /// A number that is subtracted.
    #[inline(always)]
    #[must_use]
    pub fn less(self, number: usize) -> Corner {
        Corner {
            least: self.least.wrapping_sub(number),
            ..self
        }
    }

    /// The numbers from `start` to before `end`, which is above it; modulo 2^64, as what is cast may be negative.
    #[inline(always)]
    #[must_use]
    pub fn along(self, start: usize, end: usize) -> Corner {
        let (more, wraps) = self.more.overflowing_add(end.wrapping_sub(start).wrapping_sub(1));
        Corner {
            least: self.least.wrapping_add(start),
            more,
            known: self.known && !wraps,
        }
    }

    /// A value: of another type than an index has, nothing is known of it.
    #[inline(always)]
    #[must_use]
    pub fn value<T: Copy + 'static>(self, value: T) -> Corner {
        if TypeId::of::<T>() != TypeId::of::<usize>() {
            return Corner { known: false, ..self };
        }
        // SAFETY: the types are the same.
        self.number(unsafe { transmute_copy(&value) })
    }

    /// The value of element `k` of an array of indices, if that is what it is.
    #[inline(always)]
    #[must_use]
    pub fn element<A: 'static, T: Copy + 'static>(self, _: &A, k: usize, value: impl FnOnce() -> T) -> Corner {
        if size_of::<A>() / size_of::<usize>() <= k {
            return Corner { known: false, ..self };
        }
        self.value(value())
    }

    /// Whether all of it is below the extent of an axis.
    #[inline(always)]
    #[must_use]
    pub fn inside(self, shape: &[usize], axis: usize) -> bool {
        // With a fixed length this is one comparison, and nothing wraps.
        let inside = |extent: &usize| self.least < extent.saturating_sub(self.more);
        self.known && shape.get(axis).is_some_and(inside)
    }
}

/// Whether a cast to `usize` keeps the numbers of a range apart: with positions of 32 bits those of 64 bits would go round.
#[inline(always)]
#[must_use]
pub fn counts_positions<T>(_: &Range<T>) -> bool {
    size_of::<T>() <= size_of::<usize>()
}

/// Whether the numbers from `start` to before `end` are below the extent of an axis. Before they were cast, `start` was below `end`.
#[inline(always)]
#[must_use]
pub fn span_inside(start: usize, end: usize, shape: &[usize], axis: usize) -> bool {
    // What was below zero is above all extents; if only the start was, it is above the end.
    start <= end && shape.get(axis).is_some_and(|extent| end <= *extent)
}

#[cfg(test)]
mod tests {
    use super::{Corner, counts_positions, span_inside};

    fn index(base: usize) -> Corner {
        Corner::ZERO.value(base).along(0, 3)
    }

    #[test]
    fn what_starts_below_zero_is_outside() {
        for (start, end, inside) in [
            (-3_i32, 5, false),
            (-3, -1, false),
            (-1, 0, false),
            (0, 5, true),
            (2, 6, false),
        ] {
            let corner = Corner::ZERO.along(start as usize, end as usize);
            assert_eq!(corner.inside(&[5], 0), inside, "{start}..{end}");
        }
        // What is added leads back to no position, either.
        assert!(!Corner::ZERO.along(-3_i64 as usize, 1).number(2).inside(&[9], 0));
        assert!(
            !Corner::ZERO
                .along(-3_i64 as usize, -2_i64 as usize)
                .number(2)
                .inside(&[9], 0)
        );
    }

    #[test]
    fn spans_are_inside() {
        for (start, end, inside) in [
            (-3_i32, 5, false),
            (-3, -1, false),
            (-1, 0, false),
            (0, 5, true),
            (2, 5, true),
            (2, 6, false),
            (6, 7, false),
            (0, i32::MAX, false),
        ] {
            assert_eq!(
                span_inside(start as usize, end as usize, &[9, 5], 1),
                inside,
                "{start}..{end}"
            );
        }
        assert!(!span_inside(0, 1, &[0], 0) && !span_inside(0, 1, &[9], 1));
        assert!(counts_positions(&(0_u8..1)) && !counts_positions(&(0_u128..1)));
    }

    #[test]
    fn both_ends_are_inside() {
        for (base, extent, inside) in [(0, 3, true), (0, 2, false), (5, 8, true), (6, 8, false), (8, 8, false)] {
            assert_eq!(index(base).inside(&[9, extent], 1), inside, "{base} of {extent}");
        }
        assert!(!index(0).inside(&[9], 1) && !index(0).inside(&[0], 0));
    }

    #[test]
    fn what_wraps_is_outside() {
        for base in [usize::MAX, usize::MAX - 1, usize::MAX - 2] {
            assert!(!index(base).inside(&[usize::MAX], 0));
            assert!(!index(base).number(1).inside(&[2], 0));
        }
        // Three indices around a position.
        let around = |position: usize| index(position).less(1);
        assert!(!around(0).inside(&[9], 0) && around(1).inside(&[9], 0));
        assert!(around(7).inside(&[9], 0) && !around(8).inside(&[9], 0));
        assert!(
            !Corner::ZERO
                .along(0, usize::MAX)
                .along(0, usize::MAX)
                .inside(&[usize::MAX], 0)
        );
    }

    #[test]
    fn other_types_are_not_known() {
        assert!(!Corner::ZERO.value(1_u64).inside(&[9], 0));
        assert!(!Corner::ZERO.value(1.0_f32).inside(&[9], 0));
        let base = [3, 7_usize];
        assert!(Corner::ZERO.element(&base, 1, || base[1]).inside(&[8], 0));
        assert!(
            !Corner::ZERO
                .element(&base, 2, || unreachable!() as usize)
                .inside(&[8], 0)
        );
        let other = [3, 7_u32];
        assert!(!Corner::ZERO.element(&other, 0, || other[0]).inside(&[8], 0));
    }
}
