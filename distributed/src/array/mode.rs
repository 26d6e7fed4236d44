//! What chunks that overlap mean.

use std::fmt;

use swathe::{Number, bf16, f16};

use crate::exact::Ordered;

/// What an array has at a position that is in several chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// All chunks have the same value there.
    Replica,
    /// The least of the chunks' values; NaN if all are.
    Min,
    /// The greatest of the chunks' values; NaN if all are.
    Max,
    /// The sum of the chunks' values, in the order of the ranks; integers wrap.
    Sum,
    /// The product of the chunks' values, in the order of the ranks; integers wrap.
    Prod,
}

impl Mode {
    /// Whether a value that is there twice does not change the result.
    pub(crate) fn is_idempotent(self) -> bool {
        !matches!(self, Mode::Sum | Mode::Prod)
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mode::Replica => "replica",
            Mode::Min => "min",
            Mode::Max => "max",
            Mode::Sum => "sum",
            Mode::Prod => "prod",
        })
    }
}

/// A number of which arrays can be in every [`Mode`].
pub trait Combine: Number + Ordered {
    #[doc(hidden)]
    fn combine(self, other: Self, mode: Mode) -> Self;
    /// What changes nothing.
    #[doc(hidden)]
    fn identity(mode: Mode) -> Self;
    /// What there is of nothing.
    #[doc(hidden)]
    fn of_none(mode: Mode) -> Self;
}

macro_rules! combine {
    ($($t:ident: $zero:expr, $one:expr, $least:expr, $greatest:expr, $lowest:expr, $highest:expr, $add:expr, $mul:expr;)*) => {$(
        impl Combine for $t {
            fn combine(self, other: Self, mode: Mode) -> Self {
                let (add, mul): (fn($t, $t) -> $t, fn($t, $t) -> $t) = ($add, $mul);
                match mode {
                    Mode::Replica => other,
                    Mode::Min => self.least(other),
                    Mode::Max => self.greatest(other),
                    Mode::Sum => add(self, other),
                    Mode::Prod => mul(self, other),
                }
            }

            fn identity(mode: Mode) -> Self {
                match mode {
                    Mode::Replica | Mode::Sum => $zero,
                    Mode::Min => $highest,
                    Mode::Max => $lowest,
                    Mode::Prod => $one,
                }
            }

            fn of_none(mode: Mode) -> Self {
                match mode {
                    Mode::Min => $greatest,
                    Mode::Max => $least,
                    other => Self::identity(other),
                }
            }
        }
    )*};
}
macro_rules! integers {
    ($($t:ident)*) => {
        combine! { $($t: 0, 1, $t::MIN, $t::MAX, $t::MIN, $t::MAX, $t::wrapping_add, $t::wrapping_mul;)* }
    };
}
integers! { i8 i16 i32 i64 u8 u16 u32 u64 }
macro_rules! floats {
    ($($t:ident: $zero:expr, $one:expr;)*) => {
        // An infinity would hide that all others are NaN.
        combine! { $($t: $zero, $one, $t::NEG_INFINITY, $t::INFINITY, $t::NAN, $t::NAN, |a, b| a + b, |a, b| a * b;)* }
    };
}
floats! {
    f16: f16::ZERO, f16::ONE;
    bf16: bf16::ZERO, bf16::ONE;
    f32: 0.0, 1.0;
    f64: 0.0, 1.0;
}
