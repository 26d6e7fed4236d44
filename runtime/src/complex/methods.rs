//! What kernels call for the methods of complex numbers.

use num_complex::Complex;
use num_traits::float::FloatCore;
use num_traits::{Float, FloatConst, Signed};

macro_rules! methods {
    ($($method:ident $called:ident($($arg:ident $(: $ty:ty)?),*) -> $result:ty;)*) => {
        /// The methods of [`Complex`] of which code generation knows the formulas.
        pub trait ComplexMethods<T>: Sized {
            $(
                #[allow(missing_docs)]
                #[must_use]
                fn $called($($arg $(: $ty)?),*) -> $result;
            )*
        }

        impl<T: Float + FloatConst + FloatCore + Signed> ComplexMethods<T> for Complex<T> {
            $(
                #[inline(always)]
                fn $called($($arg $(: $ty)?),*) -> $result {
                    forward!($method [$($arg)*] $($arg)*)
                }
            )*
        }
    };
}

macro_rules! forward {
    ($method:ident [self $($rest:ident)*] $z:ident $($arg:ident)*) => {
        $z.$method($($arg),*)
    };
    ($method:ident [$($all:ident)*] $($arg:ident)*) => {
        Self::$method($($arg),*)
    };
}

methods! {
    new __func_new(re: T, im: T) -> Self;
    i __func_i() -> Self;
    conj __func_conj(self) -> Self;
    norm_sqr __func_norm_sqr(self) -> T;
    l1_norm __func_l1_norm(self) -> T;
    norm __func_norm(self) -> T;
    arg __func_arg(self) -> T;
    scale __func_scale(self, t: T) -> Self;
    unscale __func_unscale(self, t: T) -> Self;
    inv __func_inv(self) -> Self;
    finv __func_finv(self) -> Self;
    fdiv __func_fdiv(self, other: Self) -> Self;
    powu __func_powu(self, exp: u32) -> Self;
    powi __func_powi(self, exp: i32) -> Self;
    cis __func_cis(phase: T) -> Self;
    from_polar __func_from_polar(r: T, theta: T) -> Self;
    to_polar __func_to_polar(self) -> (T, T);
    is_nan __func_is_nan(self) -> bool;
    is_finite __func_is_finite(self) -> bool;
    is_infinite __func_is_infinite(self) -> bool;
    exp __func_exp(self) -> Self;
    exp2 __func_exp2(self) -> Self;
    expf __func_expf(self, base: T) -> Self;
    ln __func_ln(self) -> Self;
    log __func_log(self, base: T) -> Self;
    log2 __func_log2(self) -> Self;
    log10 __func_log10(self) -> Self;
    powf __func_powf(self, exp: T) -> Self;
    powc __func_powc(self, exp: Self) -> Self;
    sqrt __func_sqrt(self) -> Self;
    cbrt __func_cbrt(self) -> Self;
    sin __func_sin(self) -> Self;
    cos __func_cos(self) -> Self;
    tan __func_tan(self) -> Self;
    sinh __func_sinh(self) -> Self;
    cosh __func_cosh(self) -> Self;
    tanh __func_tanh(self) -> Self;
    asin __func_asin(self) -> Self;
    acos __func_acos(self) -> Self;
    atan __func_atan(self) -> Self;
    asinh __func_asinh(self) -> Self;
    acosh __func_acosh(self) -> Self;
    atanh __func_atanh(self) -> Self;
}
