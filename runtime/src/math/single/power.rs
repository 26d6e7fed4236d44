//! Powers and roots.

use super::exponential::power_of_two;
use super::logarithm::binary;
use super::{ROUND, SIGN, with_sign};

/// `x` to the power of `y`: `2^(y * log2(|x|))`, with the sign of an odd power (the cases of C's `pow`, ISO C, F.10.4.4).
#[inline(always)]
#[must_use]
pub fn powf(x: f32, y: f32) -> f32 {
    let (x, y) = (f64::from(x), f64::from(y));
    let exponent = binary(x.abs());
    // 1 to any power, and -1 to an infinite one.
    let exponent = if exponent == 0.0 { 0.0 } else { y * exponent };
    let value = power_of_two(exponent);
    // From 2^24 on all floats are even.
    let size = y.abs();
    let size = if size > 16_777_216.0 { 16_777_216.0 } else { size };
    let n = size + ROUND;
    let (is_integer, odd) = (n - ROUND == size, n.to_bits() << 63);
    let signed = f64::from_bits(value.to_bits() | (odd & x.to_bits() & SIGN));
    let value = if is_integer { signed } else { value };
    let no_number = x < 0.0 && x > f64::NEG_INFINITY && !is_integer;
    let value = if no_number || x.is_nan() || y.is_nan() {
        f64::NAN
    } else {
        value
    };
    (if x == 1.0 || y == 0.0 { 1.0 } else { value }) as f32
}

/// Cube root.
#[inline(always)]
#[must_use]
pub fn cbrt(x: f32) -> f32 {
    let x = f64::from(x);
    let a = x.abs();
    let value = with_sign(power_of_two(binary(a) * (1.0 / 3.0)), x);
    (if a > 0.0 && a < f64::INFINITY { value } else { x }) as f32
}

/// Length of the vector (`x`, `y`), without overflow in between.
#[inline(always)]
#[must_use]
pub fn hypot(x: f32, y: f32) -> f32 {
    let (x, y) = (f64::from(x), f64::from(y));
    let value = (x * x + y * y).sqrt();
    let infinite = x.abs() == f64::INFINITY || y.abs() == f64::INFINITY;
    (if infinite { f64::INFINITY } else { value }) as f32
}
