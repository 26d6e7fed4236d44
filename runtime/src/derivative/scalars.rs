//! Rules of floats.

#![allow(clippy::neg_multiply)]

use super::rule::rules;
use crate::func;
use crate::math::Float;

/// A function of one number: its gradient and its tangent are both the given one times its slope.
macro_rules! slopes {
    ($($k:ident $name:ident($x:ident, $d:ident) = $value:expr;)*) => {
        $(
            #[func]
            #[inline(always)]
            pub fn $name<T: Float>($x: T, $d: T) -> T {
                $value
            }
        )*
        rules! { back1 { $([T: Float] T: $k -> T = $name [T];)* } }
        rules! { forward1 { $([T: Float] T: $k -> T = $name [T];)* } }
    };
}

slopes! {
    Negation neg(_x, d) = -d;
    Abs abs(x, d) = if x > T::ZERO { d } else if x < T::ZERO { -d } else { T::ZERO };
    Signum signum(_x, _d) = T::ZERO;
    Sqrt sqrt(x, d) = d * T::HALF / x.sqrt();
    Cbrt cbrt(x, d) = d / (T::from_f64(3.0) * x.cbrt() * x.cbrt());
    Exp exp(x, d) = d * x.exp();
    Exp2 exp2(x, d) = d * x.exp2() * T::from_f64(0.693_147_180_559_945_3);
    ExpM1 exp_m1(x, d) = d * x.exp();
    Ln ln(x, d) = d / x;
    Ln1p ln_1p(x, d) = d / (T::ONE + x);
    Log2 log2(x, d) = d / (x * T::from_f64(0.693_147_180_559_945_3));
    Log10 log10(x, d) = d / (x * T::from_f64(2.302_585_092_994_046));
    Sin sin(x, d) = d * x.cos();
    Cos cos(x, d) = -(d * x.sin());
    Tan tan(x, d) = d * (T::ONE + x.tan() * x.tan());
    Asin asin(x, d) = d / (T::ONE - x * x).sqrt();
    Acos acos(x, d) = -(d / (T::ONE - x * x).sqrt());
    Atan atan(x, d) = d / (T::ONE + x * x);
    Sinh sinh(x, d) = d * x.cosh();
    Cosh cosh(x, d) = d * x.sinh();
    Tanh tanh(x, d) = d * (T::ONE - x.tanh() * x.tanh());
    Asinh asinh(x, d) = d / (x * x + T::ONE).sqrt();
    Acosh acosh(x, d) = d / (x * x - T::ONE).sqrt();
    Atanh atanh(x, d) = d / (T::ONE - x * x);
    Floor floor(_x, _d) = T::ZERO;
    Ceil ceil(_x, _d) = T::ZERO;
    Round round(_x, _d) = T::ZERO;
    Trunc trunc(_x, _d) = T::ZERO;
    Fract fract(_x, d) = d;
    Recip recip(x, d) = -(d / (x * x));
    ToDegrees to_degrees(_x, d) = d.to_degrees();
    ToRadians to_radians(_x, d) = d.to_radians();
}

/// A function of two numbers, by its partial derivatives, each times a number `d`.
macro_rules! partials {
    ($($k:ident $back:ident $forward:ident($a:ident, $b:ident, $d:ident) = $value:expr;)*) => {
        $(
            #[func]
            #[inline(always)]
            pub fn $back<T: Float>($a: T, $b: T, $d: T) -> (T, T) {
                $value
            }

            #[func]
            #[inline(always)]
            pub fn $forward<T: Float>(a: T, t_a: T, b: T, t_b: T) -> T {
                let (by_a, _) = $back::<T>(a, b, t_a);
                let (_, by_b) = $back::<T>(a, b, t_b);
                by_a + by_b
            }
        )*
        rules! { back2 { $([T: Float] T, T: $k -> T = $back [T];)* } }
        rules! { forward2 { $([T: Float] T, T: $k -> T = $forward [T];)* } }
    };
}

partials! {
    Addition add add_forward(_a, _b, d) = (d, d);
    Subtraction sub sub_forward(_a, _b, d) = (d, -d);
    Multiplication mul mul_forward(a, b, d) = (d * b, d * a);
    Division div div_forward(a, b, d) = (d / b, -(d / b * (a / b)));
    Remainder rem rem_forward(a, b, d) = (d, -(d * (a / b).trunc()));
    // A NaN is not the result.
    Min min min_forward(a, b, d) = if a <= b || b.is_nan() { (d, T::ZERO) } else { (T::ZERO, d) };
    Max max max_forward(a, b, d) = if a >= b || b.is_nan() { (d, T::ZERO) } else { (T::ZERO, d) };
    Lesser lesser lesser_forward(a, b, d) = if a <= b || b.is_nan() { (d, T::ZERO) } else { (T::ZERO, d) };
    Greater greater greater_forward(a, b, d) = if a >= b || b.is_nan() { (d, T::ZERO) } else { (T::ZERO, d) };
    Powf powf powf_forward(a, b, d) = (
        if b == T::ZERO { T::ZERO } else { d * b * a.powf(b - T::ONE) },
        if a > T::ZERO { d * a.powf(b) * a.ln() } else { T::ZERO },
    );
    Atan2 atan2 atan2_forward(a, b, d) = {
        let r2 = a * a + b * b;
        if r2 == T::ZERO { (T::ZERO, T::ZERO) } else { (d * b / r2, -(d * a / r2)) }
    };
    Hypot hypot hypot_forward(a, b, d) = {
        let r = a.hypot(b);
        if r == T::ZERO { (T::ZERO, T::ZERO) } else { (d * a / r, d * b / r) }
    };
    Log log_of log_forward(a, b, d) = (d / (a * b.ln()), -(d * a.ln() / (b * b.ln() * b.ln())));
    Copysign copysign copysign_forward(a, b, d) = (
        if a.is_sign_negative() == b.is_sign_negative() { d } else { -d },
        T::ZERO,
    );
}

#[func]
#[inline(always)]
pub fn powi<T: Float>(a: T, n: i32, d: T) -> (T, i32) {
    (
        if n == 0 {
            T::ZERO
        } else {
            d * T::from_i32(n) * a.powi(n - 1)
        },
        0,
    )
}

#[func]
#[inline(always)]
pub fn powi_forward<T: Float>(a: T, t_a: T, n: i32, _t_n: i32) -> T {
    let (by_a, _) = powi::<T>(a, n, t_a);
    by_a
}

#[func]
#[inline(always)]
pub fn clamp<T: Float>(a: T, low: T, high: T, d: T) -> (T, T, T) {
    if a < low {
        (T::ZERO, d, T::ZERO)
    } else if a > high {
        (T::ZERO, T::ZERO, d)
    } else {
        (d, T::ZERO, T::ZERO)
    }
}

#[func]
#[inline(always)]
pub fn clamp_forward<T: Float>(a: T, t_a: T, low: T, t_low: T, high: T, t_high: T) -> T {
    if a < low {
        t_low
    } else if a > high {
        t_high
    } else {
        t_a
    }
}

#[func]
#[inline(always)]
pub fn mul_add<T: Float>(a: T, b: T, _c: T, d: T) -> (T, T, T) {
    (d * b, d * a, d)
}

#[func]
#[inline(always)]
pub fn mul_add_forward<T: Float>(a: T, t_a: T, b: T, t_b: T, _c: T, t_c: T) -> T {
    t_a * b + a * t_b + t_c
}

rules! { back2 { [T: Float] T, i32: Powi -> T = powi [T]; } }
rules! { forward2 { [T: Float] T, i32: Powi -> T = powi_forward [T]; } }
rules! { back3 { [T: Float] T, T, T: Clamp -> T = clamp [T]; [T: Float] T, T, T: MulAdd -> T = mul_add [T]; } }
rules! { forward3 { [T: Float] T, T, T: Clamp -> T = clamp_forward [T]; [T: Float] T, T, T: MulAdd -> T = mul_add_forward [T]; } }
