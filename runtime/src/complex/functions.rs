//! The functions of complex numbers, as `num_complex` computes them: so a CUDA device does.

use num_complex::Complex;
use swathe_ir::method_id;

use crate::func;
use crate::kernel::probe::{FuncDef, Method, method_callee};
use crate::kernel::{Callee, Instance};

macro_rules! functions {
    ($t:ident: $($name:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Method<{ method_id(stringify!($name)) }> for Complex<$t> {
            fn callee() -> Callee {
                method_callee::<{ method_id(stringify!($name)) }, Self>()
            }

            fn load() -> Instance {
                <$name as FuncDef>::load()
            }
        }
    )*};
}

macro_rules! formulas {
    ($($module:ident $t:ident;)*) => {$(
        #[allow(dead_code, clippy::missing_const_for_fn, clippy::assign_op_pattern)]
        mod $module {
            use std::$t::consts::{LN_2, LN_10};

            use super::*;

            type C = Complex<$t>;

            const I: C = C::new(0.0, 1.0);
            const ONE: C = C::new(1.0, 0.0);
            const TWO: C = C::new(2.0, 0.0);

            #[func]
            fn new(re: $t, im: $t) -> C {
                C { re, im }
            }

            #[func]
            fn i() -> C {
                C { re: 0.0, im: 1.0 }
            }

            #[func]
            fn conj(z: C) -> C {
                C { re: z.re, im: -z.im }
            }

            #[func]
            fn norm_sqr(z: C) -> $t {
                z.re * z.re + z.im * z.im
            }

            #[func]
            fn l1_norm(z: C) -> $t {
                z.re.abs() + z.im.abs()
            }

            #[func]
            fn norm(z: C) -> $t {
                z.re.hypot(z.im)
            }

            #[func]
            fn arg(z: C) -> $t {
                z.im.atan2(z.re)
            }

            #[func]
            fn scale(z: C, t: $t) -> C {
                C { re: z.re * t, im: z.im * t }
            }

            #[func]
            fn unscale(z: C, t: $t) -> C {
                C { re: z.re / t, im: z.im / t }
            }

            #[func]
            fn inv(z: C) -> C {
                let n = norm_sqr(z);
                C { re: z.re / n, im: -z.im / n }
            }

            #[func]
            fn finv(z: C) -> C {
                let n = norm(z);
                conj(z) / n / n
            }

            #[func]
            fn fdiv(z: C, w: C) -> C {
                z * finv(w)
            }

            #[func]
            fn powu(z: C, exp: u32) -> C {
                if exp == 0 {
                    return C { re: 1.0, im: 0.0 };
                }
                let mut base = z;
                let mut left = exp;
                while left & 1 == 0 {
                    base = base * base;
                    left >>= 1;
                }
                let mut power = base;
                while left > 1 {
                    left >>= 1;
                    base = base * base;
                    if left & 1 == 1 {
                        power = power * base;
                    }
                }
                power
            }

            #[func]
            fn powi(z: C, exp: i32) -> C {
                if exp < 0 {
                    powu(inv(z), exp.wrapping_neg() as u32)
                } else {
                    powu(z, exp as u32)
                }
            }

            #[func]
            fn cis(phase: $t) -> C {
                C { re: phase.cos(), im: phase.sin() }
            }

            #[func]
            fn from_polar(r: $t, theta: $t) -> C {
                C { re: r * theta.cos(), im: r * theta.sin() }
            }

            #[func]
            fn to_polar(z: C) -> ($t, $t) {
                (norm(z), arg(z))
            }

            #[func]
            fn is_nan(z: C) -> bool {
                z.re.is_nan() || z.im.is_nan()
            }

            #[func]
            fn is_finite(z: C) -> bool {
                z.re.is_finite() && z.im.is_finite()
            }

            #[func]
            fn is_infinite(z: C) -> bool {
                !is_nan(z) && (z.re.is_infinite() || z.im.is_infinite())
            }

            #[func]
            fn exp(z: C) -> C {
                if z.re.is_infinite() {
                    if z.re < 0.0 {
                        if !z.im.is_finite() {
                            return C { re: 0.0, im: 0.0 };
                        }
                    } else if z.im == 0.0 || !z.im.is_finite() {
                        let im = if z.im.is_infinite() { z.im - z.im } else { z.im };
                        return C { re: z.re, im };
                    }
                } else if z.re.is_nan() && z.im == 0.0 {
                    return z;
                }
                from_polar(z.re.exp(), z.im)
            }

            #[func]
            fn exp2(z: C) -> C {
                from_polar(z.re.exp2(), z.im * LN_2)
            }

            #[func]
            fn expf(z: C, base: $t) -> C {
                from_polar(base.powf(z.re), z.im * base.ln())
            }

            #[func]
            fn ln(z: C) -> C {
                C { re: norm(z).ln(), im: arg(z) }
            }

            #[func]
            fn log(z: C, base: $t) -> C {
                C { re: norm(z).log(base), im: arg(z) / base.ln() }
            }

            #[func]
            fn log2(z: C) -> C {
                ln(z) / LN_2
            }

            #[func]
            fn log10(z: C) -> C {
                ln(z) / LN_10
            }

            #[func]
            fn powf(z: C, exp: $t) -> C {
                if exp == 0.0 {
                    return C { re: 1.0, im: 0.0 };
                }
                from_polar(norm(z).powf(exp), arg(z) * exp)
            }

            #[func]
            fn powc(z: C, w: C) -> C {
                if w.re == 0.0 && w.im == 0.0 {
                    return C { re: 1.0, im: 0.0 };
                }
                exp(w * ln(z))
            }

            #[func]
            fn with_sign(re: $t, im: $t, sign: $t) -> C {
                C { re, im: if sign.is_sign_positive() { im } else { -im } }
            }

            #[func]
            fn sqrt(z: C) -> C {
                if z.im == 0.0 {
                    if z.re.is_sign_positive() {
                        return C { re: z.re.sqrt(), im: z.im };
                    }
                    return with_sign(0.0, (-z.re).sqrt(), z.im);
                }
                if z.re == 0.0 {
                    let root = (z.im.abs() / 2.0).sqrt();
                    return with_sign(root, root, z.im);
                }
                from_polar(norm(z).sqrt(), arg(z) / 2.0)
            }

            #[func]
            fn cbrt(z: C) -> C {
                let three: $t = 3.0;
                if z.im == 0.0 {
                    if z.re.is_sign_positive() {
                        return C { re: z.re.cbrt(), im: z.im };
                    }
                    let half = (-z.re).cbrt() / 2.0;
                    return with_sign(half, three.sqrt() * half, z.im);
                }
                if z.re == 0.0 {
                    let half = z.im.abs().cbrt() / 2.0;
                    return with_sign(three.sqrt() * half, half, z.im);
                }
                from_polar(norm(z).cbrt(), arg(z) / 3.0)
            }

            #[func]
            fn sin(z: C) -> C {
                C { re: z.re.sin() * z.im.cosh(), im: z.re.cos() * z.im.sinh() }
            }

            #[func]
            fn cos(z: C) -> C {
                C { re: z.re.cos() * z.im.cosh(), im: -z.re.sin() * z.im.sinh() }
            }

            #[func]
            fn tan(z: C) -> C {
                let (re, im) = (z.re + z.re, z.im + z.im);
                unscale(C { re: re.sin(), im: im.sinh() }, re.cos() + im.cosh())
            }

            #[func]
            fn sinh(z: C) -> C {
                C { re: z.re.sinh() * z.im.cos(), im: z.re.cosh() * z.im.sin() }
            }

            #[func]
            fn cosh(z: C) -> C {
                C { re: z.re.cosh() * z.im.cos(), im: z.re.sinh() * z.im.sin() }
            }

            #[func]
            fn tanh(z: C) -> C {
                let (re, im) = (z.re + z.re, z.im + z.im);
                unscale(C { re: re.sinh(), im: im.sin() }, re.cosh() + im.cos())
            }

            #[func]
            fn asin(z: C) -> C {
                -I * ln(sqrt(ONE - z * z) + I * z)
            }

            #[func]
            fn acos(z: C) -> C {
                -I * ln(I * sqrt(ONE - z * z) + z)
            }

            #[func]
            fn atan(z: C) -> C {
                if z == I {
                    return C { re: 0.0, im: <$t>::INFINITY };
                }
                if z == -I {
                    return C { re: 0.0, im: <$t>::NEG_INFINITY };
                }
                (ln(ONE + I * z) - ln(ONE - I * z)) / (TWO * I)
            }

            #[func]
            fn asinh(z: C) -> C {
                ln(z + sqrt(ONE + z * z))
            }

            #[func]
            fn acosh(z: C) -> C {
                TWO * ln(sqrt((z + ONE) / TWO) + sqrt((z - ONE) / TWO))
            }

            #[func]
            fn atanh(z: C) -> C {
                if z == ONE {
                    return C { re: <$t>::INFINITY, im: 0.0 };
                }
                if z == -ONE {
                    return C { re: <$t>::NEG_INFINITY, im: 0.0 };
                }
                (ln(ONE + z) - ln(ONE - z)) / TWO
            }

            functions! { $t:
                new i conj norm_sqr l1_norm norm arg scale unscale inv finv fdiv powu powi cis from_polar to_polar
                is_nan is_finite is_infinite exp exp2 expf ln log log2 log10 powf powc sqrt cbrt sin cos tan sinh cosh tanh asin
                acos atan asinh acosh atanh
            }
        }
    )*};
}

formulas! {
    single f32;
    double f64;
}
