//! The traits of numbers, forwarded to the standard library row by row; functions of `f32` to those that vectorise.

use super::sealed::Sealed;
use super::{Float, Int, Scalar, Signed, SignedInt, UnsignedInt, single, ty};
use crate::numbers::cast::{Nearest, Truncate};

/// What a method is called in this crate or the standard library.
macro_rules! function {
    (f32 cbrt) => {
        single::cbrt
    };
    (f32 exp) => {
        single::exp
    };
    (f32 exp2) => {
        single::exp2
    };
    (f32 exp_m1) => {
        single::exp_m1
    };
    (f32 ln) => {
        single::ln
    };
    (f32 ln_1p) => {
        single::ln_1p
    };
    (f32 log2) => {
        single::log2
    };
    (f32 log10) => {
        single::log10
    };
    (f32 sin) => {
        single::sin
    };
    (f32 cos) => {
        single::cos
    };
    (f32 tan) => {
        single::tan
    };
    (f32 asin) => {
        single::asin
    };
    (f32 acos) => {
        single::acos
    };
    (f32 atan) => {
        single::atan
    };
    (f32 sinh) => {
        single::sinh
    };
    (f32 cosh) => {
        single::cosh
    };
    (f32 tanh) => {
        single::tanh
    };
    (f32 asinh) => {
        single::asinh
    };
    (f32 acosh) => {
        single::acosh
    };
    (f32 atanh) => {
        single::atanh
    };
    (f32 log) => {
        single::log
    };
    (f32 powf) => {
        single::powf
    };
    (f32 atan2) => {
        single::atan2
    };
    (f32 hypot) => {
        single::hypot
    };
    ($t:ident $method:ident) => {
        <$t>::$method
    };
}

/// `as`, or what is the same and cheaper.
macro_rules! cast {
    (f32 $x:ident as Usize) => {
        Truncate::<usize>::truncate($x)
    };
    (f32 $x:ident as U64) => {
        Truncate::<u64>::truncate($x)
    };
    (f32 $x:ident as I64) => {
        Truncate::<i64>::truncate($x)
    };
    (f64 $x:ident as Usize) => {
        Truncate::<usize>::truncate($x)
    };
    (f64 $x:ident as U64) => {
        Truncate::<u64>::truncate($x)
    };
    (f64 $x:ident as I64) => {
        Truncate::<i64>::truncate($x)
    };
    ($t:ident $x:ident as $target:ident) => {
        $x as ty!($target)
    };
}

/// The same to a type by its own name.
macro_rules! number {
    (Usize $x:ident as f32) => {
        Nearest::<f32>::nearest($x)
    };
    (Usize $x:ident as f64) => {
        Nearest::<f64>::nearest($x)
    };
    (U64 $x:ident as f32) => {
        Nearest::<f32>::nearest($x)
    };
    (U64 $x:ident as f64) => {
        Nearest::<f64>::nearest($x)
    };
    ($source:ident $x:ident as $t:ident) => {
        $x as $t
    };
}

/// Implements one trait for one type. Conversions, of which the standard library has no methods, are casts.
macro_rules! implement {
    (
        $trait:ident for $t:ident { $($items:tt)* }
        methods { $(
            $(#[$doc:meta])* $method:ident($($arg:ident: $ty:ident),*) -> $result:ident,
            $ulp:expr, $($on:ident $text:literal),+;
        )* }
        casts { $(
            $(#[$cast_doc:meta])* $cast:ident() -> $target:ident, $cast_ulp:expr, $($cast_on:ident $cast_text:literal),+;
        )* }
        functions { $(
            $(#[$fn_doc:meta])* $function:ident($value:ident: $source:ident) -> $fn_result:ident,
            $fn_ulp:expr, $($fn_on:ident $fn_text:literal),+;
        )* }
    ) => {
        impl $trait for $t {
            $($items)*
            $(
                #[inline(always)]
                fn $method(self $(, $arg: ty!($ty))*) -> ty!($result) {
                    function!($t $method)(self $(, $arg)*)
                }
            )*
            $(
                #[inline(always)]
                #[allow(clippy::unnecessary_cast, clippy::cast_lossless)]
                fn $cast(self) -> ty!($target) {
                    cast!($t self as $target)
                }
            )*
            $(
                #[inline(always)]
                #[allow(clippy::unnecessary_cast, clippy::cast_lossless)]
                fn $function($value: ty!($source)) -> Self {
                    number!($source $value as $t)
                }
            )*
        }
    };
}

macro_rules! scalar {
    (
        ($t:ident $zero:literal $one:literal $two:literal $order:ident)
        methods Scalar { $($scalar:tt)* }
        casts Scalar { $($cast:tt)* }
        functions Scalar { $($function:tt)* }
        $($rest:tt)*
    ) => {
        impl Sealed for $t {}
        implement! {
            Scalar for $t {
                const ZERO: Self = $zero;
                const ONE: Self = $one;
                const TWO: Self = $two;
                const MIN: Self = $t::MIN;
                const MAX: Self = $t::MAX;

                #[inline(always)]
                fn lesser(self, other: Self) -> Self {
                    $order::min(self, other)
                }

                #[inline(always)]
                fn greater(self, other: Self) -> Self {
                    $order::max(self, other)
                }
            }
            methods {}
            casts { $($cast)* }
            functions { $($function)* }
        }
    };
}

macro_rules! signed {
    (($t:ident) methods Scalar { $($a:tt)* } casts Scalar { $($b:tt)* } functions Scalar { $($c:tt)* }
        methods Signed { $($signed:tt)* } $($rest:tt)*
    ) => {
        implement! { Signed for $t {} methods { $($signed)* } casts {} functions {} }
    };
}

macro_rules! float {
    (
        ($t:ident $bits:ident)
        methods Scalar { $($a:tt)* } casts Scalar { $($b:tt)* } functions Scalar { $($c:tt)* } methods Signed { $($d:tt)* }
        methods Float { $($float:tt)* }
        $($rest:tt)*
    ) => {
        implement! {
            Float for $t {
                type Bits = $bits;
                const HALF: Self = 0.5;
                const PI: Self = std::$t::consts::PI;
                const TAU: Self = std::$t::consts::TAU;
                const E: Self = std::$t::consts::E;
                const INFINITY: Self = $t::INFINITY;
                const NEG_INFINITY: Self = $t::NEG_INFINITY;
                const NAN: Self = $t::NAN;
                const EPSILON: Self = $t::EPSILON;
                const MIN_POSITIVE: Self = $t::MIN_POSITIVE;

                #[inline(always)]
                fn from_bits(bits: $bits) -> Self {
                    $t::from_bits(bits)
                }
            }
            methods { $($float)* }
            casts {}
            functions {}
        }
    };
}

macro_rules! int {
    (
        ($t:ident $unsigned:ident $sub:ident)
        methods Scalar { $($a:tt)* } casts Scalar { $($b:tt)* } functions Scalar { $($c:tt)* } methods Signed { $($d:tt)* }
        methods Float { $($e:tt)* } functions Float { $($f:tt)* } inherited Int { $($g:tt)* }
        methods Int { $($int:tt)* }
        methods SignedInt { $($signed_int:tt)* }
        methods UnsignedInt { $($unsigned_int:tt)* }
        $($rest:tt)*
    ) => {
        implement! {
            Int for $t {
                type Unsigned = $unsigned;
                const BITS: u32 = $t::BITS;
            }
            methods { $($int)* }
            casts {}
            functions {}
        }
        int! { @$sub $t [$($signed_int)*] [$($unsigned_int)*] }
    };
    (@SignedInt $t:ident [$($signed:tt)*] [$($unsigned:tt)*]) => {
        implement! { SignedInt for $t {} methods { $($signed)* } casts {} functions {} }
    };
    (@UnsignedInt $t:ident [$($signed:tt)*] [$($unsigned:tt)*]) => {
        implement! { UnsignedInt for $t {} methods { $($unsigned)* } casts {} functions {} }
    };
}

macro_rules! floats {
    ($($t:ident $bits:ident;)*) => {$(
        swathe_ir::for_each_scalar_method!(scalar, $t 0.0 1.0 2.0 $t);
        swathe_ir::for_each_scalar_method!(signed, $t);
        swathe_ir::for_each_scalar_method!(float, $t $bits);
    )*};
}

macro_rules! signed_ints {
    ($($t:ident $unsigned:ident;)*) => {$(
        swathe_ir::for_each_scalar_method!(scalar, $t 0 1 2 Ord);
        swathe_ir::for_each_scalar_method!(signed, $t);
        swathe_ir::for_each_scalar_method!(int, $t $unsigned SignedInt);
    )*};
}

macro_rules! unsigned_ints {
    ($($t:ident)*) => {$(
        swathe_ir::for_each_scalar_method!(scalar, $t 0 1 2 Ord);
        swathe_ir::for_each_scalar_method!(int, $t $t UnsignedInt);
    )*};
}

floats! { f32 u32; f64 u64; }
signed_ints! { i8 u8; i16 u16; i32 u32; i64 u64; }
unsigned_ints! { u8 u16 u32 u64 }
