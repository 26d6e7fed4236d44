//! Elements that are computed with.

use crate::half::{Bf16, F16, Half};

/// A scalar. Integers wrap.
pub(crate) trait Number: Copy + PartialEq + PartialOrd {
    const ZERO: Self;
    const ONE: Self;
    /// No value is below it.
    const LEAST: Self;
    /// No value is above it.
    const GREATEST: Self;

    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn of(index: u64) -> Self;

    /// Not a number.
    #[inline(always)]
    #[expect(clippy::eq_op, reason = "so it is defined")]
    fn is_nan(self) -> bool {
        self != self
    }
}

/// What reductions read, and the number that they compute with. Sums of 16-bit floats would stop growing at a few
/// thousand items: they are computed with as `f32`.
pub(crate) trait Source: Copy {
    type Value: Number;

    fn value(self) -> Self::Value;
}

macro_rules! source {
    ($($t:ident)*) => {$(
        impl Source for $t {
            type Value = Self;

            #[inline(always)]
            fn value(self) -> Self {
                self
            }
        }
    )*};
}
source!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

impl Source for F16 {
    type Value = f32;

    #[inline(always)]
    fn value(self) -> f32 {
        self.wide()
    }
}

impl Source for Bf16 {
    type Value = f32;

    #[inline(always)]
    fn value(self) -> f32 {
        self.wide()
    }
}

/// A scalar with bitwise operations.
pub(crate) trait Integer: Number {
    const ALL: Self;

    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
}

macro_rules! integer {
    ($($t:ident)*) => {$(
        impl Number for $t {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const LEAST: Self = $t::MIN;
            const GREATEST: Self = $t::MAX;

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }

            #[inline(always)]
            fn of(index: u64) -> Self {
                index as $t
            }
        }

        impl Integer for $t {
            const ALL: Self = !0;

            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
        }
    )*};
}
integer!(i8 i16 i32 i64 u8 u16 u32 u64);

macro_rules! float {
    ($($t:ident)*) => {$(
        impl Number for $t {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const LEAST: Self = $t::NEG_INFINITY;
            const GREATEST: Self = $t::INFINITY;

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }

            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self * other
            }

            #[inline(always)]
            fn of(index: u64) -> Self {
                index as $t
            }
        }
    )*};
}
float!(f32 f64);
