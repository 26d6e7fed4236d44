//! The scalar types of arrays, as values.

use std::fmt;

use half::{bf16, f16};
use ndarray::{CowArray, IxDyn};
use swathe_ir::Scalar;

use crate::field::{AnyArray, External};

/// Calls a macro with every type that an array's elements may have, and its name as a variant. A type is added here.
macro_rules! for_each_dtype {
    ($callback:ident) => {
        $callback! {
            bool Bool; i8 I8; i16 I16; i32 I32; i64 I64; u8 U8; u16 U16; u32 U32; u64 U64; f16 F16; bf16 Bf16; f32 F32;
            f64 F64;
        }
    };
}
pub(crate) use for_each_dtype;

macro_rules! table {
    ($($t:ident $variant:ident;)*) => {
        /// The type of an array's scalars.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum DType {
            $(#[doc = concat!("`", stringify!($t), "`.")] $variant,)*
        }

        impl DType {
            /// All of them.
            pub const ALL: &[DType] = &[$(DType::$variant),*];

            /// Its name in Rust.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(DType::$variant => stringify!($t),)*
                }
            }

            /// Size of a scalar in bytes.
            #[must_use]
            pub const fn size(self) -> usize {
                match self {
                    $(DType::$variant => size_of::<$t>(),)*
                }
            }

            /// `None` for those that are no elements of fields.
            pub(crate) fn of(scalar: Scalar) -> Option<DType> {
                match scalar {
                    $(Scalar::$variant => Some(DType::$variant),)*
                    #[allow(unreachable_patterns)]
                    _ => None,
                }
            }
        }

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

for_each_dtype!(table);

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

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
/// (NaN becomes 0), and round to the nearest when they become narrower. An integer becomes an `f16` or `bf16` by way of `f32`. `as` has no way from a number to `bool` and none from `bool` to a
/// float: here every number but 0 is `true` (NaN too), and `true` is 1.
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
    ($value:expr, f64, f16) => {
        f16::from_f64($value)
    };
    ($value:expr, f64, bf16) => {
        bf16::from_f64($value)
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

macro_rules! casts {
    ($($t:ident $variant:ident;)*) => { casts! { @from [$($t)*] $($t)* } };
    (@from $all:tt $($from:ident)*) => { $(casts! { @to $from $all })* };
    (@to $from:ident [$($to:ident)*]) => {$(
        #[allow(trivial_numeric_casts, clippy::unnecessary_cast)]
        impl Cast<$to> for $from {
            #[inline(always)]
            fn cast(self) -> $to {
                convert!(self, $from, $to)
            }
        }
    )*};
}

for_each_dtype!(casts);
