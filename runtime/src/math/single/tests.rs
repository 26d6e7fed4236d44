//! Every function over a dense sample of all `f32`, against `f64`.

use super::*;

/// What [`ULP`] is measured in: the distance of neighbours at the reference.
fn unit(reference: f64) -> f64 {
    let exponent = (reference.abs().to_bits() >> 52).cast_signed() - 1023;
    2.0_f64.powi(i32::try_from(exponent.max(-126)).expect("small") - 23)
}

fn check(name: &str, args: &[f32], got: f32, reference: f64) -> f64 {
    let rounded = reference as f32;
    if rounded.is_nan() || got.is_nan() {
        assert!(
            rounded.is_nan() && got.is_nan(),
            "{name} of {args:?}: {got:?}, not {reference:?}"
        );
        return 0.0;
    }
    if rounded.is_infinite() || reference == 0.0 {
        assert_eq!(
            got.to_bits(),
            rounded.to_bits(),
            "{name} of {args:?}: {got:?}, not {reference:?}"
        );
        return 0.0;
    }
    let error = (f64::from(got) - reference).abs() / unit(reference);
    assert!(
        error <= ULP,
        "{name} of {args:?}: {got:?}, not {reference:?}, off by {error} ulp"
    );
    error
}

/// Where functions turn, end, or lose digits; among them the number that is closest to a multiple of pi / 2.
const EDGES: [f32; 40] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    0.999_999_94,
    1.000_000_1,
    -0.999_999_94,
    2.0,
    -2.0,
    3.0,
    -3.0,
    1e-45,
    -1e-45,
    1.1754944e-38,
    1e-8,
    -1e-8,
    1.5707964,
    std::f32::consts::PI,
    16_367_173.0 * 4_722_366_482_869_645_213_696.0,
    88.722_84,
    88.722_9,
    -103.97,
    -104.1,
    127.999_99,
    128.0,
    -149.0,
    -150.1,
    0.707_106_77,
    std::f32::consts::FRAC_1_SQRT_2.next_up(),
    16_777_216.0,
    16_777_215.0,
    -8_388_609.0,
    f32::MAX,
    f32::MIN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    0.414_213_57,
];

fn sample(step: usize) -> impl Iterator<Item = f32> {
    let spread = (0..=u32::MAX).step_by(step).map(f32::from_bits);
    // More of those that programs have.
    let usual = (0..1_000_000_000_u32)
        .step_by(step)
        .map(|k| (f64::from(k) * 2e-8 - 10.0) as f32);
    EDGES.into_iter().chain(spread).chain(usual)
}

type Single = fn(f32) -> f32;
type Double = fn(f64) -> f64;

const FUNCTIONS: [(&str, Single, Double); 21] = [
    ("sin", sin, f64::sin),
    ("cos", cos, f64::cos),
    ("tan", tan, f64::tan),
    ("asin", asin, f64::asin),
    ("acos", acos, f64::acos),
    ("atan", atan, f64::atan),
    ("exp", exp, f64::exp),
    ("exp2", exp2, f64::exp2),
    ("exp_m1", exp_m1, f64::exp_m1),
    ("sinh", sinh, f64::sinh),
    ("cosh", cosh, f64::cosh),
    ("tanh", tanh, f64::tanh),
    ("ln", ln, f64::ln),
    ("log2", log2, f64::log2),
    ("log10", log10, f64::log10),
    ("ln_1p", ln_1p, f64::ln_1p),
    ("asinh", asinh, arc_sinh),
    ("acosh", acosh, arc_cosh),
    ("atanh", atanh, arc_tanh),
    ("cbrt", cbrt, f64::cbrt),
    ("hypot", |x| hypot(x, 3.0), |x| x.hypot(3.0)),
];

// Those of the standard library lose digits of small or large arguments.
fn arc_sinh(x: f64) -> f64 {
    let a = x.abs();
    let square = a * a;
    let value = if a.is_infinite() {
        a
    } else {
        (a + square / (1.0 + (square + 1.0).sqrt())).ln_1p()
    };
    value.copysign(x)
}

fn arc_cosh(x: f64) -> f64 {
    let t = x - 1.0;
    if t < 0.0 {
        f64::NAN
    } else {
        (t + (t * (t + 2.0)).sqrt()).ln_1p()
    }
}

fn arc_tanh(x: f64) -> f64 {
    (0.5 * (2.0 * x.abs() / (1.0 - x.abs())).ln_1p()).copysign(x)
}

fn all(step: usize) {
    for (name, ours, reference) in FUNCTIONS {
        let errors = sample(step).map(|x| check(name, &[x], ours(x), reference(f64::from(x))));
        let most = errors.fold(0.0, f64::max);
        println!("{name}: {most:.4} ulp");
    }
    type Pair = (&'static str, fn(f32, f32) -> f32, fn(f64, f64) -> f64);
    const PAIRS: [Pair; 4] = [
        ("powf", powf, f64::powf),
        ("atan2", atan2, f64::atan2),
        ("hypot", hypot, f64::hypot),
        ("log", log, |x, base| x.ln() / base.ln()),
    ];
    for (name, ours, reference) in PAIRS {
        let mut most = 0.0_f64;
        let seconds = EDGES.into_iter().chain([0.333, -7.5, 2.5, 17.0, -1e-3, 41.0]);
        for y in seconds {
            for x in sample(step * 50) {
                let want = reference(f64::from(x), f64::from(y));
                most = most.max(check(name, &[x, y], ours(x, y), want));
            }
        }
        println!("{name}: {most:.4} ulp");
    }
}

#[test]
fn errors_are_as_stated() {
    all(9973);
}

#[test]
#[ignore = "takes minutes"]
fn errors_are_as_stated_densely() {
    all(37);
}
