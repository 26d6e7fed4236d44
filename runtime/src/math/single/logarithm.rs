//! Logarithms, and the inverse hyperbolic functions, which consist of them.

use std::f64::consts::{LN_2, LOG2_E, LOG10_2, LOG10_E};

use super::{polynomial, with_sign};

/// `ln(1 + t) / t` for `1 + t` from sqrt(1/2) to sqrt(2); relative error 2^-33.
const LOGARITHM: [f64; 12] = [
    1.000000000048012,
    -0.5000000030845538,
    0.3333333084628052,
    -0.24999936585814816,
    0.2000016963794254,
    -0.16670383652377296,
    0.14283798395270253,
    -0.12410885665961421,
    0.11042736039719009,
    -0.10898112577877182,
    0.10636542375579953,
    -0.058456713350896375,
];

/// The same, for powers; relative error 2^-40.
const FINE: [f64; 15] = [
    1.0000000000002172,
    -0.49999999998512556,
    0.3333333331141725,
    -0.2500000043312815,
    0.20000003805512753,
    -0.16666632233794296,
    0.1428545826094488,
    -0.12501075399501757,
    0.11119413052789981,
    -0.09987366169121653,
    0.08954162789286713,
    -0.08317435210903283,
    0.08750405232693213,
    -0.08467876411458124,
    0.04272800730435181,
];

/// `k` and `t` with `x = 2^k * (1 + t)` and `1 + t` from sqrt(1/2) to sqrt(2), for positive normal numbers (Cody and Waite, *Software Manual
/// for the Elementary Functions*, chapter 5). `k` is biased so that shifts have no sign, which not all vectors have.
#[inline(always)]
fn parts(x: f64) -> (f64, f64) {
    const BIAS: u64 = 1024;
    const ROOT: u64 = 0x3fe6_a09e_667f_3bcd;
    let bits = x.to_bits();
    let k = bits.wrapping_sub(ROOT).wrapping_add(BIAS << 52) >> 52;
    let m = f64::from_bits(bits.wrapping_sub(k.wrapping_sub(BIAS) << 52));
    // An integer below 2^52 in the last bits of 2^52.
    let k = f64::from_bits(0x4330_0000_0000_0000 | k) - (4_503_599_627_370_496.0 + BIAS as f64);
    (k, m - 1.0)
}

/// The value of a logarithm where the argument is positive and finite, else what is right.
#[inline(always)]
fn defined(x: f64, value: f64) -> f64 {
    let beyond = if x == 0.0 { f64::NEG_INFINITY } else { f64::NAN };
    let beyond = if x == f64::INFINITY { x } else { beyond };
    if x > 0.0 && x < f64::INFINITY { value } else { beyond }
}

/// Logarithm to the base whose logarithms of e and 2 are given; relative error 2^-32.
#[inline(always)]
fn to_base(x: f64, of_e: f64, of_2: f64) -> f64 {
    let (k, t) = parts(x);
    defined(x, k * of_2 + of_e * (t * polynomial(t, LOGARITHM)))
}

/// Binary logarithm for powers; relative error 2^-40. Of infinity and 0 it is an infinity, of NaN nothing certain.
#[inline(always)]
pub(super) fn binary(x: f64) -> f64 {
    let (k, t) = parts(x);
    let value = k + LOG2_E * (t * polynomial(t, FINE));
    let value = if x == 0.0 { f64::NEG_INFINITY } else { value };
    if x == f64::INFINITY { x } else { value }
}

/// `ln(1 + x)`; relative error 2^-32. Where `1 + x` is near 1 it takes part as it is, without the rounding of the sum.
#[inline(always)]
fn of_one_more(x: f64) -> f64 {
    let sum = 1.0 + x;
    let (k, t) = parts(sum);
    let t = if k == 0.0 { x } else { t };
    let value = defined(sum, k * LN_2 + t * polynomial(t, LOGARITHM));
    if x == 0.0 { x } else { value }
}

/// Natural logarithm.
#[inline(always)]
#[must_use]
pub fn ln(x: f32) -> f32 {
    to_base(f64::from(x), 1.0, LN_2) as f32
}

/// Logarithm to base 2.
#[inline(always)]
#[must_use]
pub fn log2(x: f32) -> f32 {
    to_base(f64::from(x), LOG2_E, 1.0) as f32
}

/// Logarithm to base 10.
#[inline(always)]
#[must_use]
pub fn log10(x: f32) -> f32 {
    to_base(f64::from(x), LOG10_E, LOG10_2) as f32
}

/// Logarithm to any base: the quotient of two.
#[inline(always)]
#[must_use]
pub fn log(x: f32, base: f32) -> f32 {
    (to_base(f64::from(x), LOG2_E, 1.0) / to_base(f64::from(base), LOG2_E, 1.0)) as f32
}

/// `ln(1 + x)`.
#[inline(always)]
#[must_use]
pub fn ln_1p(x: f32) -> f32 {
    of_one_more(f64::from(x)) as f32
}

/// Inverse hyperbolic sine: `ln(1 + a + a^2 / (1 + sqrt(a^2 + 1)))` with `a = |x|` (fdlibm, `s_asinh.c`).
#[inline(always)]
#[must_use]
pub fn asinh(x: f32) -> f32 {
    let x = f64::from(x);
    let a = x.abs();
    let square = a * a;
    let value = of_one_more(a + square / (1.0 + (square + 1.0).sqrt()));
    with_sign(if a == f64::INFINITY { a } else { value }, x) as f32
}

/// Inverse hyperbolic cosine: `ln(1 + t + sqrt(2 t + t^2))` with `t = x - 1` (fdlibm, `e_acosh.c`).
#[inline(always)]
#[must_use]
pub fn acosh(x: f32) -> f32 {
    let t = f64::from(x) - 1.0;
    let value = of_one_more(t + (t * (t + 2.0)).sqrt());
    (if t < 0.0 { f64::NAN } else { value }) as f32
}

/// Inverse hyperbolic tangent: `ln(1 + 2 a / (1 - a)) / 2` with `a = |x|` (fdlibm, `e_atanh.c`).
#[inline(always)]
#[must_use]
pub fn atanh(x: f32) -> f32 {
    let x = f64::from(x);
    let a = x.abs();
    with_sign(0.5 * of_one_more(2.0 * a / (1.0 - a)), x) as f32
}
