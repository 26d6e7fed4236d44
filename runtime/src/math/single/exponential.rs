//! Powers of e and 2, and what consists of them.

use std::f64::consts::LOG2_E;

use super::{ROUND, polynomial, with_sign};

/// `(2^f - 1) / f` for `f` from -1/2 to 1/2; relative error 2^-37 of what is added to 1.
const POWER: [f64; 8] = [
    0.6931471805568324,
    0.24022650695888503,
    0.055504109063258665,
    0.00961812913523614,
    0.0013333478473685416,
    0.00015403475186530786,
    1.5303700711365693e-05,
    1.325080551750225e-06,
];

/// Beyond this both `f32` and a small multiple of it are at their ends.
const END: f64 = 300.0;

/// `s` and `p` with `2^x = s * (1 + p)`, where `s` is a power of 2 and `p` has a small relative error (Cody and Waite, *Software Manual for
/// the Elementary Functions*, chapter 6: reduction to an integer and a fraction).
#[inline(always)]
fn parts(x: f64) -> (f64, f64) {
    // Comparisons keep NaN.
    let x = if x > END { END } else { x };
    let x = if x < -END { -END } else { x };
    let n = x + ROUND;
    let f = x - (n - ROUND);
    let scale = f64::from_bits(n.to_bits().wrapping_add(1023) << 52);
    (scale, f * polynomial(f, POWER))
}

/// `2^x` in the range of `f32`; relative error 2^-36.
#[inline(always)]
pub(super) fn power_of_two(x: f64) -> f64 {
    let (scale, p) = parts(x);
    scale + scale * p
}

/// `e^x - 1`; relative error 2^-36.
#[inline(always)]
fn power_less_one(x: f64) -> f64 {
    let (scale, p) = parts(x * LOG2_E);
    let value = scale * p + (scale - 1.0);
    if x == 0.0 { x } else { value }
}

/// e to the power of `x`.
#[inline(always)]
#[must_use]
pub fn exp(x: f32) -> f32 {
    power_of_two(f64::from(x) * LOG2_E) as f32
}

/// 2 to the power of `x`.
#[inline(always)]
#[must_use]
pub fn exp2(x: f32) -> f32 {
    power_of_two(f64::from(x)) as f32
}

/// `exp(x) - 1`.
#[inline(always)]
#[must_use]
pub fn exp_m1(x: f32) -> f32 {
    power_less_one(f64::from(x)) as f32
}

/// Hyperbolic sine: `(d + d / (d + 1)) / 2` with `d = exp(|x|) - 1` (fdlibm, `e_sinh.c`).
#[inline(always)]
#[must_use]
pub fn sinh(x: f32) -> f32 {
    let x = f64::from(x);
    let d = power_less_one(x.abs());
    with_sign(0.5 * (d + d / (d + 1.0)), x) as f32
}

/// Hyperbolic cosine: `(e + 1 / e) / 2` with `e = exp(|x|)`.
#[inline(always)]
#[must_use]
pub fn cosh(x: f32) -> f32 {
    let e = power_of_two(f64::from(x).abs() * LOG2_E);
    (0.5 * (e + 1.0 / e)) as f32
}

/// Hyperbolic tangent: `d / (d + 2)` with `d = exp(2 |x|) - 1` (fdlibm, `s_tanh.c`).
#[inline(always)]
#[must_use]
pub fn tanh(x: f32) -> f32 {
    let x = f64::from(x);
    let d = power_less_one(2.0 * x.abs());
    with_sign(d / (d + 2.0), x) as f32
}
