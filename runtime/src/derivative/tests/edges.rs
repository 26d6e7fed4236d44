//! Rules at the ends of ranges, and where slopes are infinite.

use half::f16;

use super::super::*;
use crate::types::{DMat2, DVec3, Mat2, Mat3, Mat4, Vec2, Vec3};

/// Rules in narrow floats against the same ones in `f64`, where squares and products of operands leave the range of the narrow one.
#[test]
fn near_the_ends_of_the_range() {
    #[track_caller]
    fn close(got: f64, expected: f64, bits: i32) {
        let error = (got - expected).abs() / expected.abs();
        assert!(error < 2f64.powi(-bits), "{got} instead of {expected}");
    }
    macro_rules! of_one {
        ($($back:ident: $($x:expr),*;)*) => {$($({
            let x: f32 = $x;
            close(f64::from($back(x, 1.0f32)), $back(f64::from(x), 1.0), 20);
        })*)*};
    }
    of_one! {
        recip_back: 3e17, 3e-17, -2e16;
        atan_back: 2e18, -1e15, 0.5;
        asinh_back: 3e19, 1e25, -2e30;
        acosh_back: 3e19, 1e25, 1.000_001;
        tanh_back: 5.0, 9.0, -15.0, 30.0;
        asin_back: 0.999_999_9, -0.999_999_9;
        acos_back: 0.999_999_9;
        atanh_back: 0.999_999_9;
        log2_back: 2.9e38;
        log10_back: 2.9e38;
    }
    for (a, b) in [(3e25f32, 4e25f32), (-2e-25, 1e-25), (1e20, 1e19)] {
        let (got, expected) = (atan2_back(a, b, 1e10f32), atan2_back(f64::from(a), f64::from(b), 1e10));
        close(f64::from(got.0), expected.0, 20);
        close(f64::from(got.1), expected.1, 20);
        let (got, expected) = (hypot_back(a, b, 1e20f32), hypot_back(f64::from(a), f64::from(b), 1e20));
        close(f64::from(got.0), expected.0, 20);
        close(f64::from(got.1), expected.1, 20);
    }
    for b in [1e25f32, 3e-25] {
        let (v, d) = (Vec3::new(1.0, -2.0, 3.0) * b, Vec3::new(0.3, 0.5, 0.7));
        let wide = |v: Vec3| DVec3::new(f64::from(v.x), f64::from(v.y), f64::from(v.z));
        close(
            f64::from(div_back(v, b, d).1),
            div_back(wide(v), f64::from(b), wide(d)).1,
            20,
        );
        let m = Mat2::from_array([[1.0, -2.0], [3.0, 0.5]]);
        let wide = DMat2::from_array([[1.0, -2.0], [3.0, 0.5]]);
        let by = f64::from(b);
        close(f64::from(div_back(m * b, b, m).1), div_back(wide * by, by, wide).1, 20);
    }
    let half = |x: f64| f16::from_f64(x);
    close(recip_back(half(300.0), half(1.0)).to_f64(), -1.0 / 90000.0, 3);
    close(atan_back(half(300.0), half(1.0)).to_f64(), 1.0 / 90001.0, 3);
    close(tanh_back(half(4.0), half(1.0)).to_f64(), 0.001_340_95, 7);
    close(
        asin_back(half(0.999), half(1.0)).to_f64(),
        asin_back(half(0.999).to_f64(), 1.0),
        8,
    );
    close(hypot_back(half(300.0), half(400.0), half(1.0)).0.to_f64(), 0.6, 9);
    close(
        tan_back(half(1.57), half(0.001)).to_f64(),
        tan_back(half(1.57).to_f64(), half(0.001).to_f64()),
        6,
    );
}

/// The quotient of `%` is a whole number, which a division may round up to.
#[test]
fn of_remainders() {
    for (a, b) in [
        (0.9f32, 0.1f32),
        (0.7, 0.1),
        (-0.9, 0.1),
        (5.0, 3.0),
        (-5.0, 3.0),
        (1e7, 0.3),
        (8.0, 2.0),
    ] {
        let quotient = (f64::from(a) / f64::from(b)).trunc();
        assert_eq!(rem_back(a, b, 1.0).1, -quotient as f32, "{a} % {b}");
        assert_eq!(rem_forward(a, 0.0, b, 1.0), -quotient as f32, "{a} % {b}");
        let (v, w) = (Vec2::new(a, -a), Vec2::new(b, b));
        assert_eq!(
            rem_back(v, w, Vec2::ONE).1,
            Vec2::new(-quotient as f32, quotient as f32)
        );
    }
}

/// Where slopes are infinite, and no gradient arrives, none goes on.
#[test]
fn of_nothing() {
    assert_eq!((sqrt_back(0.0f64, 0.0), sqrt_forward(0.0f64, 0.0)), (0.0, 0.0));
    assert_eq!((cbrt_back(0.0f64, 0.0), ln_back(0.0f64, 0.0)), (0.0, 0.0));
    assert_eq!((log2_back(0.0f64, 0.0), log10_back(0.0f64, 0.0)), (0.0, 0.0));
    assert_eq!((ln_1p_back(-1.0f64, 0.0), recip_back(0.0f64, 0.0)), (0.0, 0.0));
    assert_eq!((asin_back(1.0f64, 0.0), acos_back(-1.0f64, 0.0)), (0.0, 0.0));
    assert_eq!((acosh_back(1.0f64, 0.0), atanh_back(1.0f64, 0.0)), (0.0, 0.0));
    assert_eq!(powf_back(0.0f64, 0.5, 0.0), (0.0, 0.0));
    assert_eq!(powi_back(0.0f64, -1, 0.0), (0.0, 0));
    assert_eq!(
        (rem_back(1.0f64, 0.0, 0.0), rem_forward(1.0f64, 0.0, 0.0, 0.0)),
        ((0.0, 0.0), 0.0)
    );
    // Of vectors by component, whatever arrives beside.
    let (v, w) = (Vec3::new(0.0, 1.0, 2.0), Vec3::new(0.0, 0.0, 4.0));
    let d = Vec3::new(0.0, 0.0, 8.0);
    let quotient = (Vec3::new(0.0, 0.0, 2.0), Vec3::new(0.0, 0.0, -1.0));
    assert_eq!(div_back(v, w, d), quotient);
    assert_eq!(div_forward(v, d, w, Vec3::ZERO), quotient.0);
    assert_eq!(rem_back(v, w, d), (d, Vec3::ZERO));
    assert_eq!(div_back(v, 0.0f32, Vec3::ZERO), (Vec3::ZERO, 0.0));
    assert_eq!(div_back(1.0f32, w, d), (2.0, Vec3::new(0.0, 0.0, -0.5)));
    assert_eq!(normalized_back(Vec3::ZERO, Vec3::ZERO), Vec3::ZERO);
    assert_eq!(normalized_forward(Vec3::ZERO, Vec3::ZERO), Vec3::ZERO);
    assert_eq!(normalized_back(v, Vec3::ZERO), Vec3::ZERO);
    // Squares of what arrives may leave the range.
    assert_eq!(
        normalized_back(Vec2::new(1.0, 0.0), Vec2::new(0.0, 1e-30)),
        Vec2::new(0.0, 1e-30)
    );
    let m = Mat2::from_array([[1.0, 2.0], [0.0, 0.0]]);
    assert_eq!(div_back(m, 0.0f32, Mat2::ZERO), (Mat2::ZERO, 0.0));
    assert_eq!(
        (inverse_back(m, Mat2::ZERO), inverse_forward(m, Mat2::ZERO)),
        (Mat2::ZERO, Mat2::ZERO)
    );
    assert_eq!(inverse_back(Mat3::ZERO, Mat3::ZERO), Mat3::ZERO);
    assert_eq!(inverse_forward(Mat4::ZERO, Mat4::ZERO), Mat4::ZERO);
    assert!(div_back(v, w, Vec3::new(1.0, 0.0, 0.0)).1.x.is_nan());
    assert!(sqrt_back(0.0f64, f64::NAN).is_nan());
    assert_eq!(powi_back(1.0f64, i32::MIN, 1.0), (f64::from(i32::MIN), 0));
    assert_eq!(powi_back(-1.0f64, i32::MIN, 1.0), (-f64::from(i32::MIN), 0));
}
