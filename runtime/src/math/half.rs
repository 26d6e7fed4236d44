//! The traits of numbers for `f16` and `bf16`: what the crate `half` does not have itself is computed in `f32` and rounded.

use half::{bf16, f16};

use super::sealed::Sealed;
use super::{Float, Scalar, Signed, ty};

/// An argument in `f32`.
macro_rules! wide {
    (Same $x:expr) => {
        $x.to_f32()
    };
    ($ty:ident $x:expr) => {
        $x
    };
}

/// A result of `f32` as the trait wants it.
macro_rules! rounded {
    (Same $t:ident $x:expr) => {
        <$t>::from_f32($x)
    };
    ($ty:ident $t:ident $x:expr) => {
        $x
    };
}

/// A method's body. Those of the crate `half` come first.
macro_rules! body {
    ($t:ident min $($rest:tt)*) => { body! { @own $t min $($rest)* } };
    ($t:ident max $($rest:tt)*) => { body! { @own $t max $($rest)* } };
    ($t:ident clamp $($rest:tt)*) => { body! { @own $t clamp $($rest)* } };
    ($t:ident signum $($rest:tt)*) => { body! { @own $t signum $($rest)* } };
    ($t:ident copysign $($rest:tt)*) => { body! { @own $t copysign $($rest)* } };
    ($t:ident is_nan $($rest:tt)*) => { body! { @own $t is_nan $($rest)* } };
    ($t:ident is_finite $($rest:tt)*) => { body! { @own $t is_finite $($rest)* } };
    ($t:ident is_infinite $($rest:tt)*) => { body! { @own $t is_infinite $($rest)* } };
    ($t:ident is_sign_negative $($rest:tt)*) => { body! { @own $t is_sign_negative $($rest)* } };
    ($t:ident is_sign_positive $($rest:tt)*) => { body! { @own $t is_sign_positive $($rest)* } };
    ($t:ident to_bits $($rest:tt)*) => { body! { @own $t to_bits $($rest)* } };
    ($t:ident abs $x:ident -> $result:ident) => { <$t>::from_bits($x.to_bits() & 0x7fff) };
    ($t:ident $method:ident $x:ident $($arg:ident: $ty:ident)* -> $result:ident) => {
        rounded!($result $t Float::$method($x.to_f32() $(, wide!($ty $arg))*))
    };
    (@own $t:ident $method:ident $x:ident $($arg:ident: $ty:ident)* -> $result:ident) => {
        <$t>::$method($x $(, $arg)*)
    };
}

macro_rules! implement {
    ($trait:ident for $t:ident { $($items:tt)* } $(
        $(#[$doc:meta])* $method:ident($($arg:ident: $ty:ident),*) -> $result:ident,
        $ulp:expr, $($on:ident $text:literal),+;
    )*) => {
        impl $trait for $t {
            $($items)*
            $(
                #[inline(always)]
                fn $method(self $(, $arg: ty!($ty))*) -> ty!($result) {
                    let x = self;
                    body! { $t $method x $($arg: $ty)* -> $result }
                }
            )*
        }
    };
}

macro_rules! number {
    (
        ($t:ident)
        methods Scalar { $($a:tt)* } casts Scalar { $($b:tt)* } functions Scalar { $($c:tt)* }
        methods Signed { $($signed:tt)* }
        methods Float { $($float:tt)* }
        $($rest:tt)*
    ) => {
        implement! { Signed for $t {} $($signed)* }
        implement! {
            Float for $t {
                type Bits = u16;
                const HALF: Self = $t::from_f32_const(0.5);
                const PI: Self = $t::PI;
                const TAU: Self = $t::from_f64_const(std::f64::consts::TAU);
                const E: Self = $t::E;
                const INFINITY: Self = $t::INFINITY;
                const NEG_INFINITY: Self = $t::NEG_INFINITY;
                const NAN: Self = $t::NAN;
                const EPSILON: Self = $t::EPSILON;
                const MIN_POSITIVE: Self = $t::MIN_POSITIVE;

                #[inline(always)]
                fn from_bits(bits: u16) -> Self {
                    $t::from_bits(bits)
                }
            }
            $($float)*
        }
    };
}

macro_rules! conversions {
    ($t:ident: $($to:ident $from:ident $int:ident;)*) => {
        impl Sealed for $t {}

        impl Scalar for $t {
            const ZERO: Self = $t::ZERO;
            const ONE: Self = $t::ONE;
            const TWO: Self = $t::from_f32_const(2.0);
            const MIN: Self = $t::MIN;
            const MAX: Self = $t::MAX;

            #[inline(always)]
            fn lesser(self, other: Self) -> Self {
                self.min(other)
            }

            #[inline(always)]
            fn greater(self, other: Self) -> Self {
                self.max(other)
            }

            #[inline(always)]
            fn as_f32(self) -> f32 {
                self.to_f32()
            }

            #[inline(always)]
            fn as_f64(self) -> f64 {
                self.to_f64()
            }

            #[inline(always)]
            fn from_f32(value: f32) -> Self {
                $t::from_f32(value)
            }

            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                $t::from_f64(value)
            }

            $(
                #[inline(always)]
                fn $to(self) -> $int {
                    self.to_f32() as $int
                }

                #[inline(always)]
                fn $from(value: $int) -> Self {
                    $t::from_f32(value as f32)
                }
            )*
        }
    };
}

macro_rules! halves {
    ($($t:ident)*) => {$(
        swathe_ir::for_each_scalar_method!(number, $t);
        conversions! { $t:
            as_i32 from_i32 i32; as_i64 from_i64 i64; as_u32 from_u32 u32; as_u64 from_u64 u64; as_usize from_usize usize;
        }
    )*};
}

halves! { f16 bf16 }
