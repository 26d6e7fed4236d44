//! Approximations of `f32` (9.7.3): the nearest value, or with a seed another one within the error that the manual allows.

use std::f64::consts::PI;

use super::float::Float;
use crate::order::Chooser;

/// An approximation: the exact function, and its largest error at an operand and its exact result. `None` where the manual
/// says none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Approximation {
    exact: fn(f64, f64) -> f64,
    bound: fn(f64, f64) -> Option<f64>,
}

/// The distance of floats at a number.
fn ulp(x: f64) -> f64 {
    let exponent = x.abs().log2().floor().max(-126.0);
    (exponent - 23.0).exp2()
}

fn relative(exponent: f64, result: f64) -> Option<f64> {
    Some(exponent.exp2() * result.abs())
}

fn of_angle(angle: f64) -> Option<f64> {
    match angle.abs() {
        angle if angle <= 2.0 * PI => Some((-20.5_f64).exp2()),
        angle if angle <= 100.0 * PI => Some((-14.7_f64).exp2()),
        _ => None,
    }
}

macro_rules! approximations {
    ($($name:ident $exact:expr, $bound:expr;)*) => {$(
        pub(crate) const $name: Approximation = Approximation { exact: $exact, bound: $bound };
    )*};
}
approximations! {
    RCP |a, _| 1.0 / a, |_, result| Some(ulp(result));
    SQRT |a, _| a.sqrt(), |_, result| relative(-23.0, result);
    RSQRT |a, _| 1.0 / a.sqrt(), |_, result| relative(-22.9, result);
    SIN |a, _| a.sin(), |a, _| of_angle(a);
    COS |a, _| a.cos(), |a, _| of_angle(a);
    LG2 |a, _| a.log2(), |a, result| if 0.5 < a && a < 2.0 { Some((-22_f64).exp2()) } else { relative(-22.0, result) };
    EX2 |a, _| a.exp2(), |_, result| Some(2.0 * ulp(result));
    TANH |a, _| a.tanh(), |_, result| relative(-11.0, result);
    DIV |a, b| a / b, |_, result| Some(2.0 * ulp(result));
}

impl Approximation {
    /// A value that the manual allows in the place of the nearest one, always the same for a seed and operands. Zeros,
    /// infinities, NaNs and subnormals stay, and so do results of such operands.
    pub fn disturb(&self, seed: u64, nearest: u64, a: u64, b: u64) -> u64 {
        let normal = |bits| f32::of(bits).is_normal();
        if !normal(nearest) || !normal(a) || !normal(b) {
            return nearest;
        }
        let (a_value, b_value) = (f64::from(f32::of(a)), f64::from(f32::of(b)));
        let exact = (self.exact)(a_value, b_value);
        let Some(bound) = (self.bound)(a_value, exact) else {
            return nearest;
        };
        let mut chooser = Chooser::new(seed, a << 32 | b);
        let part = chooser.below(1 << 32) as f64 / f64::from(1_u32 << 31) - 1.0;
        let other = (exact + part * bound) as f32;
        let allowed = other.is_normal() && (f64::from(other) - exact).abs() <= bound;
        if allowed { other.bits() } else { nearest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of operands from small to large ones: the largest error by the bound, and how many results are others.
    fn check(approximation: Approximation, operands: impl Iterator<Item = (f32, f32)>) -> (f64, usize) {
        let (mut worst, mut changed) = (0_f64, 0);
        for (k, (a, b)) in operands.enumerate() {
            let exact = (approximation.exact)(a.into(), b.into());
            let nearest = exact as f32;
            if !nearest.is_normal() {
                continue;
            }
            let value = approximation.disturb(k as u64 % 7, nearest.bits(), a.bits(), b.bits());
            changed += usize::from(value != nearest.bits());
            let error = (f64::from(f32::of(value)) - exact).abs();
            let bound = (approximation.bound)(a.into(), exact).unwrap_or(f64::INFINITY);
            worst = worst.max(error / bound);
        }
        (worst, changed)
    }

    #[test]
    fn results_stay_within_the_bounds() {
        let operands = || (0..2000).map(|k| ((k as f32 * 0.011 - 9.0).exp2(), (k as f32 * 0.37).sin() + 2.0));
        for (name, approximation) in [
            ("rcp", RCP),
            ("sqrt", SQRT),
            ("rsqrt", RSQRT),
            ("sin", SIN),
            ("cos", COS),
            ("lg2", LG2),
            ("ex2", EX2),
            ("tanh", TANH),
            ("div", DIV),
        ] {
            let (worst, changed) = check(approximation, operands());
            assert!((0.4..=1.0).contains(&worst), "{name}: {worst}");
            assert!(changed > 300, "{name}: {changed}");
        }
    }

    #[test]
    fn special_values_stay() {
        let one = 1_f32.bits();
        for (approximation, nearest, a) in [
            (RCP, f32::INFINITY, 0.0),
            (EX2, 1.0, 0.0),
            (LG2, 0.0, 1.0),
            (SIN, -0.0, -0.0),
            (RCP, 1e-39, 1e39_f64 as f32),
            (SQRT, f32::NAN, -1.0),
            // No bound is said.
            (SIN, 0.5, 1e6),
        ] {
            for seed in 0..9 {
                let nearest = nearest.bits();
                assert_eq!(approximation.disturb(seed, nearest, a.bits(), one), nearest, "{a}");
            }
        }
        // The same for a seed and an operand.
        let of = |seed| EX2.disturb(seed, 2.5_f32.exp2().bits(), 2.5_f32.bits(), one);
        assert_eq!(of(3), of(3));
        assert!((0..9).any(|seed| of(seed) != of(3)));
    }
}
