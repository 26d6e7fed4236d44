//! Scalars that arrays outside of swathe may hold, and their conversions.

use std::fmt;

use half::{bf16, f16};
use ndarray::{CowArray, IxDyn};
use num_complex::{Complex32, Complex64};

use crate::element::dtype::{DType, for_each_dtype};
use crate::element::external::External;
use crate::field::exchange::any::AnyArray;

macro_rules! scalars {
    ($($t:ident $variant:ident;)*) => {
        $(
            impl sealed::Sealed for $t {}

            impl ArrayScalar for $t {
                const DTYPE: DType = DType::$variant;

                fn wrap(array: CowArray<'_, Self, IxDyn>) -> AnyArray<'_> {
                    AnyArray::$variant(array)
                }

                fn peek<'b>(array: &'b AnyArray<'_>) -> Option<&'b CowArray<'b, Self, IxDyn>> {
                    match array {
                        AnyArray::$variant(array) => Some(array),
                        _ => None,
                    }
                }

                fn unwrap(array: AnyArray<'_>) -> Result<CowArray<'_, Self, IxDyn>, AnyArray<'_>> {
                    match array {
                        AnyArray::$variant(array) => Ok(array),
                        other => Err(other),
                    }
                }
            }
        )*
    };
}

for_each_dtype!(scalars);

mod sealed {
    pub trait Sealed {}
}

/// A scalar that arrays outside of swathe may hold: each type of [`DType::ALL`].
pub trait ArrayScalar: External<Scalar = Self> + PartialEq + fmt::Debug + sealed::Sealed {
    /// The type.
    const DTYPE: DType;

    #[doc(hidden)]
    fn wrap(array: CowArray<'_, Self, IxDyn>) -> AnyArray<'_>;

    #[doc(hidden)]
    fn peek<'b>(array: &'b AnyArray<'_>) -> Option<&'b CowArray<'b, Self, IxDyn>>;

    #[doc(hidden)]
    fn unwrap(array: AnyArray<'_>) -> Result<CowArray<'_, Self, IxDyn>, AnyArray<'_>>;
}

/// A scalar that is converted as Rust's `as` does: integers keep their low bits, floats saturate when they become integers
/// (NaN becomes 0), and round to the nearest when they become narrower. An integer or an `f64` becomes an `f16` or `bf16` by way of `f32`, and an `f16`
/// or `bf16` another type likewise. `as` has no way from a number to `bool` and none from `bool` to a
/// float: here every number but 0 is `true` (NaN too), and `true` is 1. A real number becomes a complex one; a complex number becomes no real
/// one, since either part could be meant.
///
/// ```
/// use swathe::Cast;
///
/// assert_eq!(Cast::<u8>::cast(300_i32), 44);
/// assert_eq!(Cast::<u8>::cast(-2.5_f64), 0);
/// assert_eq!(Cast::<f32>::cast(true), 1.0);
/// assert!(Cast::<bool>::cast(f32::NAN));
/// ```
pub trait Cast<T>: ArrayScalar {
    /// The converted value.
    #[must_use]
    fn cast(self) -> T;
}

macro_rules! convert {
    ($value:expr, Complex32, Complex64) => {
        Complex64::new($value.re.into(), $value.im.into())
    };
    ($value:expr, Complex64, Complex32) => {
        Complex32::new($value.re as f32, $value.im as f32)
    };
    ($value:expr, Complex32, Complex32) => {
        $value
    };
    ($value:expr, Complex64, Complex64) => {
        $value
    };
    ($value:expr, $from:ident, Complex32) => {
        Complex32::new(convert!($value, $from, f32), 0.0)
    };
    ($value:expr, $from:ident, Complex64) => {
        Complex64::new(convert!($value, $from, f64), 0.0)
    };
    ($value:expr, f16, f16) => {
        $value
    };
    ($value:expr, bf16, bf16) => {
        $value
    };
    ($value:expr, f16, f64) => {
        $value.to_f64()
    };
    ($value:expr, bf16, f64) => {
        $value.to_f64()
    };
    ($value:expr, f16, $to:ident) => {
        convert!($value.to_f32(), f32, $to)
    };
    ($value:expr, bf16, $to:ident) => {
        convert!($value.to_f32(), f32, $to)
    };
    ($value:expr, $from:ident, f16) => {
        f16::from_f32(convert!($value, $from, f32))
    };
    ($value:expr, $from:ident, bf16) => {
        bf16::from_f32(convert!($value, $from, f32))
    };
    ($value:expr, bool, bool) => {
        $value
    };
    ($value:expr, bool, $to:ident) => {
        u8::from($value) as $to
    };
    ($value:expr, $from:ident, bool) => {
        $value != 0 as $from
    };
    ($value:expr, $from:ident, $to:ident) => {
        $value as $to
    };
}

macro_rules! cast {
    ($from:ident Complex32) => {
        cast! { @ $from Complex32 }
    };
    ($from:ident Complex64) => {
        cast! { @ $from Complex64 }
    };
    (Complex32 $to:ident) => {};
    (Complex64 $to:ident) => {};
    ($from:ident $to:ident) => {
        cast! { @ $from $to }
    };
    (@ $from:ident $to:ident) => {
        #[allow(trivial_numeric_casts, clippy::unnecessary_cast)]
        impl Cast<$to> for $from {
            #[inline(always)]
            fn cast(self) -> $to {
                convert!(self, $from, $to)
            }
        }
    };
}

macro_rules! casts {
    ($($t:ident $variant:ident;)*) => { casts! { @from [$($t)*] $($t)* } };
    (@from $all:tt $($from:ident)*) => { $(casts! { @to $from $all })* };
    (@to $from:ident [$($to:ident)*]) => { $(cast! { $from $to })* };
}

for_each_dtype!(casts);
