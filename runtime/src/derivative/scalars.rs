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
    Sin sin(x, d) = d * x.cos();
    Cos cos(x, d) = -(d * x.sin());
    Tan tan(x, d) = d / x.cos() / x.cos();
    Atan atan(x, d) = {
        let r = x.hypot(T::ONE);
        d / r / r
    };
    // 1 less the square of the value has no digits left far from 0.
    Tanh tanh(x, d) = d / x.cosh() / x.cosh();
    Asinh asinh(x, d) = d / x.hypot(T::ONE);
    Floor floor(_x, _d) = T::ZERO;
    Ceil ceil(_x, _d) = T::ZERO;
    Round round(_x, _d) = T::ZERO;
    Trunc trunc(_x, _d) = T::ZERO;
    Fract fract(_x, d) = d;
    ToDegrees to_degrees(_x, d) = d.to_degrees();
    ToRadians to_radians(_x, d) = d.to_radians();
}

/// The same of functions whose slope is infinite somewhere: where no gradient arrives none goes on, instead of a NaN.
macro_rules! steep_slopes {
    ($($k:ident $name:ident($x:ident, $d:ident) = $value:expr;)*) => {
        slopes! { $($k $name($x, $d) = if $d == T::ZERO { T::ZERO } else { $value };)* }
    };
}

steep_slopes! {
    Exp exp(x, d) = d * x.exp();
    Exp2 exp2(x, d) = d * T::from_f64(0.693_147_180_559_945_3) * x.exp2();
    ExpM1 exp_m1(x, d) = d * x.exp();
    Sinh sinh(x, d) = d * x.cosh();
    Cosh cosh(x, d) = d * x.sinh();
    Sqrt sqrt(x, d) = d * T::HALF / x.sqrt();
    Cbrt cbrt(x, d) = d / T::from_f64(3.0) / x.cbrt() / x.cbrt();
    Ln ln(x, d) = d / x;
    Ln1p ln_1p(x, d) = d / (T::ONE + x);
    Log2 log2(x, d) = d / T::from_f64(0.693_147_180_559_945_3) / x;
    Log10 log10(x, d) = d / T::from_f64(2.302_585_092_994_046) / x;
    // Products of sums instead of differences of squares: next to 1 those have few digits.
    Asin asin(x, d) = d / ((T::ONE - x) * (T::ONE + x)).sqrt();
    Acos acos(x, d) = -(d / ((T::ONE - x) * (T::ONE + x)).sqrt());
    Acosh acosh(x, d) = d / ((x - T::ONE).sqrt() * (x + T::ONE).sqrt());
    Atanh atanh(x, d) = d / ((T::ONE - x) * (T::ONE + x));
    Recip recip(x, d) = -(d / x / x);
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
    Division div div_forward(a, b, d) = if d == T::ZERO { (T::ZERO, T::ZERO) } else { (d / b, -(d / b * (a / b))) };
    // The quotient that `a % b` leaves is whole: rounding gives it, where `a / b` itself may have been rounded up to the next one.
    Remainder rem rem_forward(a, b, d) = (d, if d == T::ZERO { T::ZERO } else { -(d * ((a - a % b) / b).round()) });
    // A NaN is not the result.
    Min min min_forward(a, b, d) = if a <= b || b.is_nan() { (d, T::ZERO) } else { (T::ZERO, d) };
    Max max max_forward(a, b, d) = if a >= b || b.is_nan() { (d, T::ZERO) } else { (T::ZERO, d) };
    Lesser lesser lesser_forward(a, b, d) = if a <= b || b.is_nan() { (d, T::ZERO) } else { (T::ZERO, d) };
    Greater greater greater_forward(a, b, d) = if a >= b || b.is_nan() { (d, T::ZERO) } else { (T::ZERO, d) };
    Powf powf powf_forward(a, b, d) = (
        if b == T::ZERO || d == T::ZERO { T::ZERO } else { d * b * a.powf(b - T::ONE) },
        if a > T::ZERO && d != T::ZERO { d * a.powf(b) * a.ln() } else { T::ZERO },
    );
    // Quotients by the length, one after the other: squares leave the range.
    Atan2 atan2 atan2_forward(a, b, d) = {
        let r = a.hypot(b);
        if r == T::ZERO { (T::ZERO, T::ZERO) } else { (d * (b / r) / r, -(d * (a / r) / r)) }
    };
    Hypot hypot hypot_forward(a, b, d) = {
        let r = a.hypot(b);
        if r == T::ZERO { (T::ZERO, T::ZERO) } else { (d * (a / r), d * (b / r)) }
    };
    Log log_of log_forward(a, b, d) = {
        if d == T::ZERO {
            (T::ZERO, T::ZERO)
        } else {
            (d / b.ln() / a, -(d / b.ln() * (a.ln() / b.ln()) / b))
        }
    };
    Copysign copysign copysign_forward(a, b, d) = (
        if a.is_sign_negative() == b.is_sign_negative() { d } else { -d },
        T::ZERO,
    );
}

#[func]
#[inline(always)]
pub fn powi<T: Float>(a: T, n: i32, d: T) -> (T, i32) {
    (
        if n == 0 || d == T::ZERO {
            T::ZERO
        } else if n == i32::MIN {
            // There is no exponent below.
            d * T::from_i32(n) * (a.powi(n) / a)
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
