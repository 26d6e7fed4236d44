//! Inverse trigonometric functions.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use super::{polynomial, with_sign};

/// `atan(z) / z` by `z^2`, for `z` up to tan(pi / 8); relative error 2^-35.
const ARC_TANGENT: [f64; 7] = [
    0.999999999978393,
    -0.3333333209732565,
    0.19999883834670074,
    -0.1428158816410649,
    0.11040481662468073,
    -0.08456149941251835,
    0.04707257411522469,
];

/// `asin(z) / z` by `z^2`, for `z` up to 1/2; relative error 2^-35.
const ARC_SINE: [f64; 8] = [
    0.9999999999863537,
    0.16666667364186447,
    0.07499941908754719,
    0.04466113930866896,
    0.03010250689966149,
    0.024650862660604088,
    0.0074010072390753795,
    0.0347484248080839,
];

/// tan(pi / 8) and tan(3 pi / 8), about.
const LOW: f64 = 0.414_213_56;
const HIGH: f64 = 2.414_213_56;

/// The angle of a point with coordinates that are not negative. Beyond pi / 8 it is turned by pi / 4 or pi / 2 first (Moshier, *Methods and
/// Programs for Mathematical Functions*, Cephes, `atan.c`).
#[inline(always)]
fn angle(y: f64, x: f64) -> f64 {
    // Infinite coordinates are equal, and larger than any other.
    const LARGE: f64 = 1e200;
    let y = if y > LARGE { LARGE } else { y };
    let x = if x > LARGE { LARGE } else { x };
    let (middle, high) = (y > LOW * x, y > HIGH * x);
    let numerator = if middle { y - x } else { y };
    let numerator = if high { -x } else { numerator };
    let denominator = if middle { y + x } else { x };
    let denominator = if high { y } else { denominator };
    let denominator = if x == 0.0 && y == 0.0 { 1.0 } else { denominator };
    let turned = if middle { FRAC_PI_4 } else { 0.0 };
    let turned = if high { FRAC_PI_2 } else { turned };
    let z = numerator / denominator;
    turned + z * polynomial(z * z, ARC_TANGENT)
}

/// Arc tangent; radians.
#[inline(always)]
#[must_use]
pub fn atan(x: f32) -> f32 {
    let x = f64::from(x);
    with_sign(angle(x.abs(), 1.0), x) as f32
}

/// Angle of the point (`x`, `y`), in radians.
#[inline(always)]
#[must_use]
pub fn atan2(y: f32, x: f32) -> f32 {
    let (y, x) = (f64::from(y), f64::from(x));
    let value = angle(y.abs(), x.abs());
    let value = if x.is_sign_negative() { PI - value } else { value };
    with_sign(value, y) as f32
}

/// `z` and `asin(z)`, where `z` is `a` below 1/2, else the sine of half of the complement (Cody and Waite, *Software Manual for the
/// Elementary Functions*, chapter 11).
#[inline(always)]
fn arc_sine(a: f64) -> (bool, f64) {
    let large = a > 0.5;
    let square = if large { 0.5 * (1.0 - a) } else { a * a };
    let z = if large { square.sqrt() } else { a };
    (large, z * polynomial(square, ARC_SINE))
}

/// Arc sine; radians.
#[inline(always)]
#[must_use]
pub fn asin(x: f32) -> f32 {
    let x = f64::from(x);
    let (large, p) = arc_sine(x.abs());
    with_sign(if large { FRAC_PI_2 - 2.0 * p } else { p }, x) as f32
}

/// Arc cosine; radians.
#[inline(always)]
#[must_use]
pub fn acos(x: f32) -> f32 {
    let x = f64::from(x);
    let (large, p) = arc_sine(x.abs());
    let p = with_sign(p, x);
    let of_large = if x < 0.0 { PI + 2.0 * p } else { 2.0 * p };
    (if large { of_large } else { FRAC_PI_2 - p }) as f32
}
