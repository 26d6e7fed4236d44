//! Rules against central differences in `f64`, and at points where functions have no derivative.

mod edges;

use super::*;
use crate::types::{DMat2, DMat3, DMat4, DVec2, DVec3, Matrix, Vector};

/// A value as numbers.
trait Numbers: Copy {
    fn numbers(self) -> Vec<f64>;
    fn with(self, k: usize, by: f64) -> Self;
}

impl Numbers for f64 {
    fn numbers(self) -> Vec<f64> {
        vec![self]
    }

    fn with(self, _: usize, by: f64) -> f64 {
        self + by
    }
}

impl<const N: usize> Numbers for Vector<f64, N> {
    fn numbers(self) -> Vec<f64> {
        self.to_array().to_vec()
    }

    fn with(mut self, k: usize, by: f64) -> Self {
        self[k] += by;
        self
    }
}

impl<const R: usize, const C: usize> Numbers for Matrix<f64, R, C> {
    fn numbers(self) -> Vec<f64> {
        self.to_array().concat()
    }

    fn with(mut self, k: usize, by: f64) -> Self {
        self[[k / C, k % C]] += by;
        self
    }
}

const H: f64 = 1e-6;

/// The derivative along each number of an operand.
fn differences<A: Numbers, O: Numbers>(a: A, f: impl Fn(A) -> O) -> Vec<Vec<f64>> {
    let along = |k| {
        let (up, down) = (f(a.with(k, H)).numbers(), f(a.with(k, -H)).numbers());
        up.iter().zip(&down).map(|(up, down)| (up - down) / (2.0 * H)).collect()
    };
    (0..a.numbers().len()).map(along).collect()
}

fn weights(count: usize, seed: f64) -> Vec<f64> {
    (0..count).map(|k| (k as f64 * 1.7 + seed).sin() + 0.2).collect()
}

/// A value made of numbers.
fn made<A: Numbers>(like: A, numbers: &[f64]) -> A {
    let old = like.numbers();
    numbers.iter().enumerate().fold(like, |a, (k, x)| a.with(k, x - old[k]))
}

#[track_caller]
fn near(name: &str, got: &[f64], expected: &[f64]) {
    for (got, expected) in got.iter().zip(expected) {
        assert!(
            (got - expected).abs() < 2e-7 * (1.0 + expected.abs()),
            "{name}: {got}, by differences {expected}"
        );
    }
}

/// What gradient and tangent along one operand are, by differences.
#[track_caller]
fn operand<A: Numbers, O: Numbers>(
    name: &str,
    a: A,
    f: impl Fn(A) -> O,
    back: impl Fn(O) -> A,
    forward: impl Fn(A) -> O,
) {
    let rows = differences(a, &f);
    let out = f(a);
    let d = weights(out.numbers().len(), 0.3);
    let expected: Vec<f64> = rows
        .iter()
        .map(|row| row.iter().zip(&d).map(|(x, d)| x * d).sum())
        .collect();
    near(&format!("{name}, back"), &back(made(out, &d)).numbers(), &expected);
    let t = weights(rows.len(), 1.1);
    let expected: Vec<f64> = (0..d.len())
        .map(|k| rows.iter().zip(&t).map(|(row, t)| row[k] * t).sum())
        .collect();
    near(&format!("{name}, forward"), &forward(made(a, &t)).numbers(), &expected);
}

macro_rules! one {
    ($($method:ident $back:ident $forward:ident: $($a:expr),*;)*) => {$($({
        operand(stringify!($method), $a, |a| a.$method(), |d| $back($a, d), |t| $forward($a, t));
    })*)*};
}

macro_rules! two {
    ($($method:ident $back:ident $forward:ident: $($a:expr, $b:expr);*;;)*) => {$($({
        let (a, b) = ($a, $b);
        operand(concat!(stringify!($method), ", first"), a, |a| a.$method(b), |d| $back(a, b, d).0, |t| $forward(a, t, b, zero(b)));
        operand(concat!(stringify!($method), ", second"), b, |b| a.$method(b), |d| $back(a, b, d).1, |t| $forward(a, zero(a), b, t));
    })*)*};
}

#[test]
fn of_one_number() {
    one! {
        abs abs_back abs_forward: 0.7f64, -1.3f64;
        signum signum_back signum_forward: 0.7f64;
        sqrt sqrt_back sqrt_forward: 0.7f64, 31.0f64;
        cbrt cbrt_back cbrt_forward: 0.7f64, -2.0f64;
        exp exp_back exp_forward: 0.7f64, -2.0f64;
        exp2 exp2_back exp2_forward: 0.7f64, -2.0f64;
        exp_m1 exp_m1_back exp_m1_forward: 0.7f64, -2.0f64;
        ln ln_back ln_forward: 0.7f64;
        ln_1p ln_1p_back ln_1p_forward: 0.7f64;
        log2 log2_back log2_forward: 0.7f64;
        log10 log10_back log10_forward: 0.7f64;
        sin sin_back sin_forward: 0.7f64, -2.0f64;
        cos cos_back cos_forward: 0.7f64, -2.0f64;
        tan tan_back tan_forward: 0.7f64;
        asin asin_back asin_forward: 0.7f64, -0.3f64;
        acos acos_back acos_forward: 0.7f64;
        atan atan_back atan_forward: 0.7f64, -2.0f64;
        sinh sinh_back sinh_forward: 0.7f64;
        cosh cosh_back cosh_forward: 0.7f64;
        tanh tanh_back tanh_forward: 0.7f64;
        asinh asinh_back asinh_forward: 0.7f64;
        acosh acosh_back acosh_forward: 1.7f64;
        atanh atanh_back atanh_forward: 0.7f64;
        floor floor_back floor_forward: 1.7f64;
        ceil ceil_back ceil_forward: 1.7f64;
        round round_back round_forward: 1.7f64;
        trunc trunc_back trunc_forward: 1.7f64;
        fract fract_back fract_forward: 1.7f64;
        recip recip_back recip_forward: 1.7f64, -0.4f64;
        to_degrees to_degrees_back to_degrees_forward: 1.7f64;
        to_radians to_radians_back to_radians_forward: 1.7f64;
    }
    operand("neg", 0.7f64, |a| -a, |d| neg_back(0.7, d), |t| neg_forward(0.7, t));
}

#[test]
fn of_two_numbers() {
    two! {
        min min_back min_forward: 0.7f64, 0.9f64; 0.9f64, 0.7f64;;
        max max_back max_forward: 0.7f64, 0.9f64; 0.9f64, 0.7f64;;
        powf powf_back powf_forward: 0.7f64, 2.3f64; 3.0f64, -1.5f64;;
        atan2 atan2_back atan2_forward: 0.7f64, -0.2f64; -0.3f64, 1.2f64;;
        hypot hypot_back hypot_forward: 0.7f64, -0.2f64;;
        log log_back log_forward: 0.7f64, 3.0f64;;
        copysign copysign_back copysign_forward: 0.7f64, -0.2f64; -0.7f64, -0.2f64;;
    }
    let (a, b) = (0.7f64, -1.9f64);
    macro_rules! operators {
        ($($op:tt $back:ident;)*) => {$({
            operand(stringify!($op), a, |a| a $op b, |d| $back(a, b, d).0, |t| (((a + H * t) $op b) - ((a - H * t) $op b)) / (2.0 * H));
            operand(stringify!($op), b, |b| a $op b, |d| $back(a, b, d).1, |t| ((a $op (b + H * t)) - (a $op (b - H * t))) / (2.0 * H));
        })*};
    }
    operators! { + add_back; - sub_back; * mul_back; / div_back; }
    let (a, b) = (7.3f64, 2.2f64);
    operand(
        "rem",
        a,
        |a| a % b,
        |d| rem_back(a, b, d).0,
        |t| rem_forward(a, t, b, 0.0),
    );
    operand(
        "rem",
        b,
        |b| a % b,
        |d| rem_back(a, b, d).1,
        |t| rem_forward(a, 0.0, b, t),
    );
    for n in [-2, 0, 1, 3] {
        operand(
            "powi",
            0.7f64,
            |a| a.powi(n),
            |d| powi_back(0.7, n, d).0,
            |t| powi_forward(0.7, t, n, 0),
        );
    }
    let x = 0.3f64;
    operand(
        "mul_add",
        x,
        |x| x.mul_add(2.0, 5.0),
        |d| mul_add_back(x, 2.0, 5.0, d).0,
        |t| mul_add_forward(x, t, 2.0, 0.0, 5.0, 0.0),
    );
    operand(
        "mul_add",
        x,
        |x| 2.0f64.mul_add(x, 5.0),
        |d| mul_add_back(2.0, x, 5.0, d).1,
        |t| mul_add_forward(2.0, 0.0, x, t, 5.0, 0.0),
    );
    operand(
        "mul_add",
        x,
        |x| 2.0f64.mul_add(3.0, x),
        |d| mul_add_back(2.0, 3.0, x, d).2,
        |t| mul_add_forward(2.0, 0.0, 3.0, 0.0, x, t),
    );
    for x in [-0.5f64, 0.3, 1.5] {
        operand(
            "clamp",
            x,
            |x| x.clamp(0.0, 1.0),
            |d| clamp_back(x, 0.0, 1.0, d).0,
            |t| clamp_forward(x, t, 0.0, 0.0, 1.0, 0.0),
        );
        operand(
            "clamp",
            0.2f64,
            |low| x.max(low).min(1.0),
            |d| clamp_back(x, 0.2, 1.0, d).1,
            |t| clamp_forward(x, 0.0, 0.2, t, 1.0, 0.0),
        );
        operand(
            "clamp",
            0.8f64,
            |high| x.clamp(0.0, high),
            |d| clamp_back(x, 0.0, 0.8, d).2,
            |t| clamp_forward(x, 0.0, 0.0, 0.0, 0.8, t),
        );
    }
}

const A: DVec3 = DVec3::new(0.7, -1.2, 2.6);
const B: DVec3 = DVec3::new(-0.4, 3.1, 0.9);

#[test]
fn of_vectors() {
    one! {
        length length_back length_forward: A;
        norm norm_back norm_forward: A;
        length_squared length_squared_back length_squared_forward: A;
        normalized normalized_back normalized_forward: A;
        normalized_or_zero normalized_or_zero_back normalized_or_zero_forward: A;
        sum sum_back sum_forward: A;
        abs abs_back abs_forward: A;
        floor floor_back floor_forward: A;
        ceil ceil_back ceil_forward: A;
        round round_back round_forward: A;
        fract fract_back fract_forward: A;
        perp perp_back perp_forward: DVec2::new(0.3, 2.0);
    }
    two! {
        dot dot_back dot_forward: A, B;;
        cross cross_back cross_forward: A, B;;
        distance distance_back distance_forward: A, B;;
        distance_squared distance_squared_back distance_squared_forward: A, B;;
        reflect reflect_back reflect_forward: A, B;;
        min min_back min_forward: A, B;;
        max max_back max_forward: A, B;;
        outer_product outer_product_back outer_product_forward: A, B;;
        perp_dot perp_dot_back perp_dot_forward: DVec2::new(0.3, 2.0), DVec2::new(1.3, -0.6);;
    }
    let s = 0.4f64;
    operand(
        "lerp",
        A,
        |a| a.lerp(B, s),
        |d| lerp_back(A, B, s, d).0,
        |t| lerp_forward(A, t, B, DVec3::ZERO, s, 0.0),
    );
    operand(
        "lerp",
        B,
        |b| A.lerp(b, s),
        |d| lerp_back(A, B, s, d).1,
        |t| lerp_forward(A, DVec3::ZERO, B, t, s, 0.0),
    );
    operand(
        "lerp",
        s,
        |s| A.lerp(B, s),
        |d| lerp_back(A, B, s, d).2,
        |t| lerp_forward(A, DVec3::ZERO, B, DVec3::ZERO, s, t),
    );
    let (low, high) = (DVec3::new(0.0, -0.5, 0.1), DVec3::new(0.5, 1.0, 3.0));
    operand(
        "clamp",
        A,
        |a| a.clamp(low, high),
        |d| clamp_back(A, low, high, d).0,
        |t| clamp_forward(A, t, low, DVec3::ZERO, high, DVec3::ZERO),
    );
    operand(
        "clamp",
        low,
        |low| A.clamp(low, high),
        |d| clamp_back(A, low, high, d).1,
        |t| clamp_forward(A, DVec3::ZERO, low, t, high, DVec3::ZERO),
    );
    operand(
        "clamp",
        high,
        |high| A.clamp(low, high),
        |d| clamp_back(A, low, high, d).2,
        |t| clamp_forward(A, DVec3::ZERO, low, DVec3::ZERO, high, t),
    );
}

/// Gradients of operators between these operands; tangents are written with the operators themselves.
macro_rules! operators {
    ($($a:expr, $b:expr => $($op:tt $back:ident),*;)*) => {$($({
        let (a, b) = ($a, $b);
        let what = concat!(stringify!($a), stringify!($op), stringify!($b));
        let rows = differences(a, |a| a $op b);
        let d = weights(rows[0].len(), 0.3);
        let out = made(a $op b, &d);
        let expected: Vec<f64> = rows.iter().map(|row| row.iter().zip(&d).map(|(x, d)| x * d).sum()).collect();
        near(what, &$back(a, b, out).0.numbers(), &expected);
        let rows = differences(b, |b| a $op b);
        let expected: Vec<f64> = rows.iter().map(|row| row.iter().zip(&d).map(|(x, d)| x * d).sum()).collect();
        near(what, &$back(a, b, out).1.numbers(), &expected);
    })*)*};
}

#[test]
fn of_operators() {
    let m = DMat3::from_array([[0.3, 1.0, -2.0], [0.5, 0.1, 0.7], [1.5, -0.2, 0.4]]);
    let n = DMat3::from_array([[1.3, 0.4, 0.2], [-0.5, 2.1, 0.3], [0.5, -1.2, 0.9]]);
    operators! {
        A, B => + add_back, - sub_back, * mul_back, / div_back, % rem_back;
        A, 1.7f64 => + add_back, - sub_back, * mul_back, / div_back;
        1.7f64, B => + add_back, - sub_back, * mul_back, / div_back;
        m, n => + add_back, - sub_back, * mul_back;
        m, 1.7f64 => * mul_back, / div_back;
        1.7f64, m => * mul_back;
        m, A => * mul_back;
        A, m => * mul_back;
    }
    operand("-v", A, |a| -a, |d| neg_back(A, d), |t| neg_forward(A, t));
    operand("-m", m, |a| -a, |d| neg_back(m, d), |t| neg_forward(m, t));
}

#[test]
fn of_matrices() {
    let two = DMat2::from_array([[0.3, 1.0], [-2.0, 0.5]]);
    let three = DMat3::from_array([[0.3, 1.0, -2.0], [0.5, 0.1, 0.7], [1.5, -0.2, 0.4]]);
    let four = DMat4::from_array([
        [2.0, 0.1, 0.2, 0.3],
        [0.4, 3.0, -0.5, 0.6],
        [0.7, 0.8, -1.5, 0.9],
        [1.0, -1.1, 1.2, 2.5],
    ]);
    one! {
        inverse inverse_back inverse_forward: two, three, four;
        determinant determinant_back determinant_forward: two, three, four;
        transpose transpose_back transpose_forward: three;
        trace trace_back trace_forward: three;
        diagonal diagonal_back diagonal_forward: three;
        norm_squared norm_squared_back norm_squared_forward: three;
    }
    two! { mul_vec mul_vec_back mul_vec_forward: three, A;; }
    // The gradient of a determinant is there for singular matrices, too.
    let flat = DMat2::from_array([[1.0, 2.0], [2.0, 4.0]]);
    assert_eq!(determinant_back(flat, 1.0).to_array(), [[4.0, -2.0], [-2.0, 1.0]]);
}

#[test]
fn at_special_points() {
    assert_eq!(abs_back(0.0f64, 3.0), 0.0);
    assert_eq!(
        abs_back(DVec2::new(0.0, -1.0), DVec2::new(3.0, 3.0)),
        DVec2::new(0.0, -3.0)
    );
    assert_eq!(
        (max_back(2.0f64, 2.0, 3.0), min_back(2.0f64, 2.0, 3.0)),
        ((3.0, 0.0), (3.0, 0.0))
    );
    assert_eq!(
        (max_back(f64::NAN, 2.0, 3.0), max_back(2.0, f64::NAN, 3.0)),
        ((0.0, 3.0), (3.0, 0.0))
    );
    assert_eq!(
        (min_back(f64::NAN, 2.0, 3.0), min_back(2.0, f64::NAN, 3.0)),
        ((0.0, 3.0), (3.0, 0.0))
    );
    assert_eq!(sqrt_back(0.0f64, 1.0), f64::INFINITY);
    assert_eq!(powf_back(0.0f64, 2.0, 1.0), (0.0, 0.0));
    assert_eq!(powf_back(0.0f64, 1.0, 1.0), (1.0, 0.0));
    assert_eq!(powf_back(0.0f64, 0.0, 1.0), (0.0, 0.0));
    assert_eq!(
        (powi_back(0.0f64, 0, 1.0), powi_back(0.0f64, 1, 1.0)),
        ((0.0, 0), (1.0, 0))
    );
    assert_eq!(length_back(DVec3::ZERO, 2.0), DVec3::ZERO);
    assert_eq!(length_forward(DVec3::ZERO, A), 0.0);
    assert_eq!(distance_back(A, A, 2.0), (DVec3::ZERO, DVec3::ZERO));
    assert_eq!(normalized_or_zero_back(DVec3::ZERO, A), DVec3::ZERO);
    assert_eq!(
        (hypot_back(0.0f64, 0.0, 1.0), atan2_back(0.0f64, 0.0, 1.0)),
        ((0.0, 0.0), (0.0, 0.0))
    );
    assert_eq!((floor_back(2.0f64, 5.0), signum_back(0.0f64, 5.0)), (0.0, 0.0));
    assert_eq!(
        (
            cast_back(2.5f64, 3.0f32),
            cast_back(2.5f32, 3.0f64),
            cast_back(2.5f32, 3i32),
            cast_back(7usize, 3.0f32)
        ),
        (3.0, 3.0, 0.0, 0)
    );
    assert_eq!((mul_back(3i32, 4, 5), div_back(3u32, 4, 5)), ((0, 0), (0, 0)));
}

#[test]
fn of_arrays_and_tuples() {
    assert_eq!(zero([(1.5f32, 2i32), (3.0, 4)]), [(0.0, 0), (0.0, 0)]);
    assert_eq!(
        accumulate([(1.5f32, 2i32), (3.0, 4)], [(1.0, 7), (2.0, 9)]),
        [(2.5, 2), (5.0, 4)]
    );
    const { assert!(<[f32; 3] as Differentiable>::ACTIVE && !<(u32, bool) as Differentiable>::ACTIVE) };
}
