//! Arithmetic of kernels with `fast_math`: reciprocals of square roots of `f32`, without a division and a square root.
//!
//! An estimate from the exponent (half of it, by a shift of the bits: see *Hacker's Delight*, chapter 16) and one step of Newton are within
//! 2^-10; what is left of the error, `e = 1 - x y^2`, goes by the series of `(1 - e)^(-1/2)`. All of that are operations that LLVM
//! takes lane by lane, which it does to no instruction for estimates.

use crate::element::KernelType;
use crate::math::single::call::is_f32;
use crate::versions::Target;
use std::mem::transmute_copy;

/// Largest error of a quotient by a square root, in units of the last place.
pub const ROOT_ULP: f64 = 2.0;

/// Largest error of a quotient by `b * x.sqrt()`, in units of the last place.
pub const PRODUCT_ULP: f64 = 3.0;

/// Largest error of a quotient by `x * x.sqrt()`, in units of the last place, where `x` is between 10^-25 and 10^25.
pub const CUBED_ROOT_ULP: f64 = 3.5;

/// `1 / sqrt(x)` within 2^-10, for normal numbers.
#[inline(always)]
fn estimate(x: f32) -> f32 {
    // The step of Newton is `y * (A - x * y * y)` with the least error for the constant, both multiplied by what saves a product.
    let y = f32::from_bits(MAGIC.wrapping_sub(x.to_bits() >> 1));
    y * (-(x * y)).mul_add(y, STEP)
}

const MAGIC: u32 = 0x5f0b_3800;
const STEP: f32 = 1.890_989_7;

/// The reciprocal of a square root: NaN of negative numbers, infinite of zeros and what is below all normal numbers.
#[inline(always)]
fn inverse_root(x: f32) -> f32 {
    let y = estimate(x);
    let e = (-(x * y)).mul_add(y, 1.0);
    let root = (y * e).mul_add(e.mul_add(0.375, 0.5), y);
    let root = if x == f32::INFINITY { 0.0 } else { root };
    let least = if x < 0.0 { f32::NAN } else { f32::INFINITY };
    if x < f32::MIN_POSITIVE { least } else { root }
}

/// `a / (x * sqrt(x))`.
#[inline(always)]
fn quotient_by_cubed(a: f32, x: f32) -> f32 {
    // Beyond, the quotient is infinite or 0 anyhow. NaN stays NaN.
    let bounded = if x < f32::MIN_POSITIVE { f32::MIN_POSITIVE } else { x };
    let bounded = if bounded > f32::MAX { f32::MAX } else { bounded };
    let y = estimate(bounded);
    let square = y * y;
    let e = (-bounded).mul_add(square, 1.0);
    let series = e.mul_add(e.mul_add(1.875, 1.5), 1.0);
    let quotient = (y * square) * a * series;
    if x < 0.0 { f32::NAN } else { quotient }
}

/// `a / x.sqrt()`.
#[inline(always)]
#[must_use]
pub fn over_root(target: Target, a: Option<f32>, x: Option<f32>) -> Option<f32> {
    let (a, x) = (a?, x?);
    target.wide().then(|| a * inverse_root(x))
}

/// `a / (b * x.sqrt())`.
#[inline(always)]
#[must_use]
pub fn over_product(target: Target, a: Option<f32>, b: Option<f32>, x: Option<f32>) -> Option<f32> {
    let (a, b, x) = (a?, b?, x?);
    target.wide().then(|| a / b * inverse_root(x))
}

/// `a / (x * x.sqrt())`.
#[inline(always)]
#[must_use]
pub fn over_cubed_root(target: Target, a: Option<f32>, x: Option<f32>) -> Option<f32> {
    let (a, x) = (a?, x?);
    target.wide().then(|| quotient_by_cubed(a, x))
}

/// The result of one of these, as the type that it was said to be.
///
/// # Panics
/// Never: only where the operands are `f32` there is a result.
#[inline(always)]
#[must_use]
pub fn value<R>(quotient: f32) -> R {
    assert!(is_f32::<R>(), "a quotient of `f32` is one");
    // SAFETY: the types are the same.
    unsafe { transmute_copy(&quotient) }
}

/// `v.normalized()`, which is `plain()`.
#[inline(always)]
pub fn normalized<V: KernelType, R>(target: Target, v: &V, plain: impl FnOnce() -> R) -> R {
    crate::numbers::products::scaled(target, v, inverse_root, plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ulp(got: f32, want: f64) -> f64 {
        let rounded = (want as f32).abs();
        let unit = f64::from(f32::from_bits(rounded.to_bits() + 1)) - f64::from(rounded);
        (f64::from(got) - want).abs() / unit
    }

    /// Numbers of all exponents.
    fn normal_numbers() -> impl Iterator<Item = f32> {
        (f32::MIN_POSITIVE.to_bits()..f32::INFINITY.to_bits())
            .step_by(9973)
            .map(f32::from_bits)
    }

    #[test]
    fn errors_are_within_bounds() {
        let quotient = |f: Option<f32>| f.expect("of `f32`");
        for x in normal_numbers() {
            let root = f64::from(x).sqrt();
            for a in [1.0_f32, 1.3, -0.7] {
                let error = ulp(quotient(over_root(Target::Wide, Some(a), Some(x))), f64::from(a) / root);
                assert!(error <= ROOT_ULP, "{a} / sqrt({x:e}): {error}");
                let error = ulp(
                    quotient(over_product(Target::Wide, Some(a), Some(0.3), Some(x))),
                    f64::from(a) / f64::from(0.3_f32) / root,
                );
                assert!(error <= PRODUCT_ULP, "{a} / (0.3 * sqrt({x:e})): {error}");
                if (1e-25..=1e25).contains(&x) {
                    let got = quotient(over_cubed_root(Target::Wide, Some(a), Some(x)));
                    let error = ulp(got, f64::from(a) / (f64::from(x) * root));
                    assert!(error <= CUBED_ROOT_ULP, "{a} / ({x:e} * sqrt({x:e})): {error}");
                }
            }
        }
    }

    #[test]
    fn special_numbers() {
        let least = f32::MIN_POSITIVE;
        for x in [0.0, -0.0, 1e-40] {
            assert_eq!(over_root(Target::Wide, Some(2.0), Some(x)), Some(f32::INFINITY), "{x}");
            assert_eq!(
                over_cubed_root(Target::Wide, Some(-2.0), Some(x)),
                Some(f32::NEG_INFINITY),
                "{x}"
            );
        }
        assert_eq!(over_root(Target::Wide, Some(2.0), Some(f32::INFINITY)), Some(0.0));
        assert_eq!(
            over_cubed_root(Target::Wide, Some(f32::MAX), Some(f32::INFINITY)),
            Some(0.0)
        );
        let nan = |x: Option<f32>| x.is_some_and(f32::is_nan);
        for x in [f32::NAN, -1.0, -1e-40, -least, f32::NEG_INFINITY] {
            assert!(nan(over_root(Target::Wide, Some(2.0), Some(x))), "{x}");
            assert!(nan(over_cubed_root(Target::Wide, Some(2.0), Some(x))), "{x}");
        }
        for x in [1.0, least, f32::MAX] {
            assert!(nan(over_root(Target::Wide, Some(f32::NAN), Some(x))), "{x}");
            assert!(nan(over_cubed_root(Target::Wide, Some(f32::NAN), Some(x))), "{x}");
        }
        assert_eq!(
            over_root(Target::Wide, Some(f32::INFINITY), Some(4.0)),
            Some(f32::INFINITY)
        );
    }

    #[test]
    fn other_numbers_are_left_to_the_caller() {
        assert_eq!(over_root(Target::Fused, Some(1.0), Some(4.0)), None);
        assert_eq!(over_root(Target::Wide, None, Some(4.0)), None);
        assert_eq!(over_cubed_root(Target::Wide, Some(1.0), None), None);
        assert_eq!(over_product(Target::Wide, Some(1.0), None, Some(4.0)), None);
        assert_eq!(value::<f32>(0.5), 0.5);
    }
}
