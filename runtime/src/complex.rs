//! Complex numbers of the crate `num_complex` in fields and kernels.
//!
//! On the CPU a kernel calls the crate itself. The functions here say what a CUDA device does: the crate's formulas, in the
//! kernel language. Code generation knows the operators.

use num_complex::Complex;
use swathe_ir::{Member, Struct, Type, method_id};

use crate::element::{Element, KernelType};
use crate::field::{Axes, External};
use crate::func;
use crate::kernel::probe::{FuncDef, Method, method_callee};
use crate::kernel::{Callee, Instance};

/// How paths of these types start; code generation tells them by it.
pub(crate) const PATH: &str = "num_complex::Complex<";

macro_rules! built_in {
    ($t:ident: $($name:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Method<{ method_id(stringify!($name)) }> for Complex<$t> {
            fn callee() -> Callee {
                Callee::BuiltIn
            }
        }
    )*};
}

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

macro_rules! complex {
    ($($module:ident $t:ident;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl KernelType for Complex<$t> {
            fn ty() -> Type {
                let member = |name: &str, offset| Member {
                    name: name.to_owned(),
                    ty: <$t>::ty(),
                    offset,
                };
                Type::Struct(Box::new(Struct {
                    name: "Complex".to_owned(),
                    path: format!("{PATH}{}>", stringify!($t)),
                    members: vec![
                        member("re", std::mem::offset_of!(Complex<$t>, re)),
                        member("im", std::mem::offset_of!(Complex<$t>, im)),
                    ],
                    size: size_of::<Self>(),
                    align: align_of::<Self>(),
                }))
            }
        }

        // SAFETY: two floats, at the offsets that the type states; zero is a value of it.
        #[diagnostic::do_not_recommend]
        unsafe impl Element for Complex<$t> {}

        // SAFETY: one complex number, which is what the array holds.
        unsafe impl External for Complex<$t> {
            type Scalar = Complex<$t>;
            type Dim<E: ndarray::Dimension> = E;
            type Rest<E: ndarray::Dimension> = E;
            const AXES: Axes = Axes::NONE;
        }

        built_in! { $t: add sub mul div add_assign sub_assign mul_assign div_assign neg eq ne }

        #[allow(dead_code, clippy::missing_const_for_fn)]
        mod $module {
            use super::*;

            type C = Complex<$t>;

            #[func]
            fn new(re: $t, im: $t) -> C {
                C { re, im }
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
            fn ln(z: C) -> C {
                C { re: norm(z).ln(), im: arg(z) }
            }

            #[func]
            fn sqrt(z: C) -> C {
                if z.im == 0.0 {
                    if z.re.is_sign_positive() {
                        return C { re: z.re.sqrt(), im: z.im };
                    }
                    let root = (-z.re).sqrt();
                    return C { re: 0.0, im: if z.im.is_sign_positive() { root } else { -root } };
                }
                if z.re == 0.0 {
                    let root = (z.im.abs() / 2.0).sqrt();
                    return C { re: root, im: if z.im.is_sign_positive() { root } else { -root } };
                }
                from_polar(norm(z).sqrt(), arg(z) / 2.0)
            }

            #[func]
            fn sin(z: C) -> C {
                C { re: z.re.sin() * z.im.cosh(), im: z.re.cos() * z.im.sinh() }
            }

            #[func]
            fn cos(z: C) -> C {
                C { re: z.re.cos() * z.im.cosh(), im: -z.re.sin() * z.im.sinh() }
            }

            functions! { $t:
                new conj norm_sqr l1_norm norm arg scale unscale inv cis from_polar to_polar is_nan is_finite is_infinite
                exp ln sqrt sin cos
            }
        }
    )*};
}

complex! {
    single f32;
    double f64;
}
