//! Functions of `f32` that vectorise: without branches, tables and calls, so that LLVM takes them lane by lane. The standard library calls the
//! C library once for each number.
//!
//! All are computed in `f64` and rounded once, to at most [`ULP`] units in the last place. Arguments of any size are reduced
//! without loss, what is too large or too small for `f32` comes out of the last rounding, and infinities, NaN and signed zeros are those of
//! IEEE 754. Nothing is contracted: results are the same on every processor, in debug and release builds.
//!
//! Polynomials interpolate at the zeros of Chebyshev polynomials (Trefethen, *Approximation Theory and Approximation Practice*, chapters
//! 2 and 8), which comes within a small factor of the best one; the error of each is beside its coefficients.

pub mod call;
mod exponential;
mod inverse;
mod logarithm;
mod power;
#[cfg(test)]
mod tests;
mod trigonometric;

pub use exponential::{cosh, exp, exp_m1, exp2, sinh, tanh};
pub use inverse::{acos, asin, atan, atan2};
pub use logarithm::{acosh, asinh, atanh, ln, ln_1p, log, log2, log10};
pub use power::{cbrt, hypot, powf};
pub use trigonometric::{cos, sin, tan};

/// Largest error of these functions, in units of the result's last place.
pub const ULP: f64 = 0.52;

/// The sum of this and a number below 2^51 is rounded to an integer, which then stands in the last bits: the
/// rounding that all processors have in vectors (Hacker's Delight, chapter 17).
const ROUND: f64 = 6_755_399_441_055_744.0;

/// `c[0] + x * (c[1] + x * (..))`.
#[inline(always)]
fn polynomial<const N: usize>(x: f64, c: [f64; N]) -> f64 {
    let mut sum = c[N - 1];
    let mut k = N - 1;
    while k > 0 {
        k -= 1;
        sum = sum * x + c[k];
    }
    sum
}

/// The value with the sign bit of another one.
#[inline(always)]
fn with_sign(value: f64, sign: f64) -> f64 {
    f64::from_bits(value.to_bits() | (sign.to_bits() & SIGN))
}

/// The sign bit.
const SIGN: u64 = 1 << 63;
