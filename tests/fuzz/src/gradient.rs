//! Derivatives of random kernels against dual numbers: values in the kernel's precision, with the kernel's operations, and tangents in `f64`.

use swathe::Device;

/// What compares a kernel's derivatives.
pub type Case = fn(&Device) -> Result<Compared, String>;

/// What came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compared {
    /// The derivatives are those of dual numbers.
    Same,
    /// Values or tangents are too large for a comparison.
    Large,
}

/// Elements of each field.
pub const LEN: usize = 7;

/// Numbers in -1..1, none of them alike.
#[must_use]
pub fn scattered(count: usize, seed: usize) -> Vec<f64> {
    (0..count)
        .map(|k| ((k * 7919 + seed * 104_729 + 13) % 1999) as f64 / 999.5 - 1.0)
        .collect()
}

/// Whether numbers are alike, with an error of so much of the largest one.
///
/// # Errors
/// Says which are not.
pub fn alike(what: &str, got: &[f64], expected: &[f64], tolerance: f64) -> Result<(), String> {
    let scale = expected.iter().fold(1.0f64, |scale, x| scale.max(x.abs()));
    for (k, (got, expected)) in got.iter().zip(expected).enumerate() {
        let near = (got - expected).abs() <= tolerance * scale;
        if !near {
            return Err(format!("{what}, number {k}: {got}, by dual numbers {expected}"));
        }
    }
    Ok(())
}

macro_rules! precision {
    ($module:ident, $real:ident, $pair:ident) => {
        /// Dual numbers with values of one precision. They have the operators and the methods that random kernels use.
        #[allow(missing_docs, clippy::unnecessary_cast, clippy::cast_lossless)]
        pub mod $module {
            use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

            use swathe::prelude::*;

            pub use swathe::derivative::detach;
            pub use swathe::$pair as Pair;

            /// The struct of random kernels.
            #[derive(Element, Clone, Copy, Debug, Default)]
            #[element(Differentiable)]
            pub struct Body {
                pub pos: Pair,
                pub mass: $real,
            }

            /// A value and its tangent.
            #[derive(Clone, Copy, Debug)]
            pub struct Dual {
                pub x: $real,
                pub t: f64,
            }

            #[derive(Clone, Copy, Debug)]
            pub struct PairDual {
                pub x: Dual,
                pub y: Dual,
            }

            #[derive(Clone, Copy, Debug)]
            pub struct BodyDual {
                pub pos: PairDual,
                pub mass: Dual,
            }

            /// A constant.
            #[must_use]
            pub fn lit(x: $real) -> Dual {
                Dual { x, t: 0.0 }
            }

            #[must_use]
            pub fn detach_dual(x: Dual) -> Dual {
                lit(x.x)
            }

            impl Neg for Dual {
                type Output = Dual;
                fn neg(self) -> Dual {
                    self.with(-self.x, -1.0)
                }
            }

            impl Add for Dual {
                type Output = Dual;
                fn add(self, b: Dual) -> Dual {
                    self.and(b, self.x + b.x, 1.0, 1.0)
                }
            }

            impl Sub for Dual {
                type Output = Dual;
                fn sub(self, b: Dual) -> Dual {
                    self.and(b, self.x - b.x, 1.0, -1.0)
                }
            }

            impl Mul for Dual {
                type Output = Dual;
                fn mul(self, b: Dual) -> Dual {
                    self.and(b, self.x * b.x, b.wide(), self.wide())
                }
            }

            impl Div for Dual {
                type Output = Dual;
                fn div(self, b: Dual) -> Dual {
                    self.and(
                        b,
                        self.x / b.x,
                        1.0 / b.wide(),
                        -self.wide() / (b.wide() * b.wide()),
                    )
                }
            }

            impl AddAssign for Dual {
                fn add_assign(&mut self, b: Dual) {
                    *self = *self + b;
                }
            }

            impl SubAssign for Dual {
                fn sub_assign(&mut self, b: Dual) {
                    *self = *self - b;
                }
            }

            impl MulAssign for Dual {
                fn mul_assign(&mut self, b: Dual) {
                    *self = *self * b;
                }
            }

            impl PartialEq for Dual {
                fn eq(&self, other: &Dual) -> bool {
                    self.x == other.x
                }
            }

            impl PartialOrd for Dual {
                fn partial_cmp(&self, other: &Dual) -> Option<std::cmp::Ordering> {
                    self.x.partial_cmp(&other.x)
                }
            }

            impl Dual {
                fn wide(self) -> f64 {
                    self.x as f64
                }

                fn with(self, x: $real, slope: f64) -> Dual {
                    // A slope of nothing is nothing.
                    let t = if self.t == 0.0 { 0.0 } else { slope * self.t };
                    Dual { x, t }
                }

                fn and(self, b: Dual, x: $real, by_a: f64, by_b: f64) -> Dual {
                    let t = self.with(x, by_a).t + b.with(x, by_b).t;
                    Dual { x, t }
                }

                pub fn atomic_add(&mut self, by: Dual) {
                    *self += by;
                }

                pub fn sin(self) -> Dual {
                    self.with(self.x.sin(), self.wide().cos())
                }

                pub fn cos(self) -> Dual {
                    self.with(self.x.cos(), -self.wide().sin())
                }

                pub fn tanh(self) -> Dual {
                    self.with(self.x.tanh(), self.wide().cosh().powi(-2))
                }

                pub fn atan(self) -> Dual {
                    self.with(self.x.atan(), 1.0 / (1.0 + self.wide().powi(2)))
                }

                pub fn asinh(self) -> Dual {
                    self.with(self.x.asinh(), 1.0 / self.wide().hypot(1.0))
                }

                pub fn fract(self) -> Dual {
                    self.with(self.x.fract(), 1.0)
                }

                pub fn abs(self) -> Dual {
                    let slope = if self.x == 0.0 { 0.0 } else { self.wide().signum() };
                    self.with(self.x.abs(), slope)
                }

                pub fn sqrt(self) -> Dual {
                    self.with(self.x.sqrt(), 0.5 / self.wide().sqrt())
                }

                pub fn cbrt(self) -> Dual {
                    self.with(self.x.cbrt(), 1.0 / (3.0 * self.wide().cbrt().powi(2)))
                }

                pub fn ln(self) -> Dual {
                    self.with(self.x.ln(), 1.0 / self.wide())
                }

                pub fn recip(self) -> Dual {
                    self.with(self.x.recip(), -self.wide().powi(-2))
                }

                pub fn powi(self, n: i32) -> Dual {
                    self.with(self.x.powi(n), n as f64 * self.wide().powi(n - 1))
                }

                pub fn min(self, b: Dual) -> Dual {
                    if self.x <= b.x { self } else { b }
                }

                pub fn max(self, b: Dual) -> Dual {
                    if self.x >= b.x { self } else { b }
                }

                pub fn hypot(self, b: Dual) -> Dual {
                    let r = self.wide().hypot(b.wide());
                    let by = |x: f64| if r == 0.0 { 0.0 } else { x / r };
                    self.and(b, self.x.hypot(b.x), by(self.wide()), by(b.wide()))
                }

                pub fn atan2(self, b: Dual) -> Dual {
                    let r = self.wide().powi(2) + b.wide().powi(2);
                    let by = |x: f64| if r == 0.0 { 0.0 } else { x / r };
                    self.and(b, self.x.atan2(b.x), by(b.wide()), by(-self.wide()))
                }
            }

            impl PairDual {
                #[must_use]
                pub fn new(x: Dual, y: Dual) -> PairDual {
                    PairDual { x, y }
                }

                pub fn dot(self, b: PairDual) -> Dual {
                    self.x * b.x + self.y * b.y
                }
            }

            impl Mul<Dual> for PairDual {
                type Output = PairDual;
                fn mul(self, b: Dual) -> PairDual {
                    PairDual::new(self.x * b, self.y * b)
                }
            }
        }
    };
}
precision! { single, f32, Vec2 }
precision! { double, f64, DVec2 }

/// Writes `case` for a kernel and the same function of dual numbers.
#[macro_export]
macro_rules! gradient_case {
    ($kernel:ident, $dual:ident, $precision:ident) => {
        pub fn case(device: &swathe::Device) -> Result<swathe_fuzz::gradient::Compared, String> {
            use swathe_fuzz::gradient::{Compared, LEN, alike, scattered};
            let numbers = |seed: usize| -> Vec<Real> { scattered(LEN, seed).iter().map(|x| *x as Real).collect() };
            let bodies = |seed: usize| -> Vec<Body> {
                let (x, y, m) = (numbers(seed), numbers(seed + 100), numbers(seed + 200));
                (0..LEN)
                    .map(|k| Body {
                        pos: Pair::new(x[k], y[k]),
                        mass: m[k],
                    })
                    .collect()
            };
            let field = |numbers: &[Real]| swathe::Field::from_slice(device, numbers).unwrap();
            let flat = |all: &[Body]| -> Vec<f64> {
                all.iter()
                    .flat_map(|b| [b.pos.x as f64, b.pos.y as f64, b.mass as f64])
                    .collect()
            };
            let wide = |all: &[Real]| -> Vec<f64> { all.iter().map(|x| *x as f64).collect() };
            let n: Vec<i32> = (0..LEN as i32).map(|k| k % 4).collect();
            let n_field = swathe::Field::from_slice(device, &n).unwrap();
            // In the order of the parameters: two that are read, one of structs, three that change.
            for direction in 0..3 {
                let at = direction * 10;
                let (a, b, u, w, s) = (numbers(1), numbers(2), numbers(3), numbers(4), numbers(5));
                let q = bodies(6);
                let (t_a, t_b, t_u, t_w, t_s) = (
                    numbers(at + 11),
                    numbers(at + 12),
                    numbers(at + 13),
                    numbers(at + 14),
                    numbers(at + 15),
                );
                let t_q = bodies(at + 16);
                let dual = |x: &[Real], t: &[Real]| -> Vec<Dual> {
                    x.iter()
                        .zip(t)
                        .map(|(x, t)| Dual { x: *x, t: *t as f64 })
                        .collect()
                };
                let (d_a, d_b) = (dual(&a, &t_a), dual(&b, &t_b));
                let (mut d_u, mut d_w, mut d_s) = (dual(&u, &t_u), dual(&w, &t_w), dual(&s, &t_s));
                let mut d_q: Vec<BodyDual> = q
                    .iter()
                    .zip(&t_q)
                    .map(|(x, t)| {
                        let of = |x: Real, t: Real| Dual { x, t: t as f64 };
                        BodyDual {
                            pos: PairDual::new(of(x.pos.x, t.pos.x), of(x.pos.y, t.pos.y)),
                            mass: of(x.mass, t.mass),
                        }
                    })
                    .collect();
                let d_sum = $dual(&d_a, &d_b, &n, &mut d_q, &mut d_u, &mut d_w, &mut d_s);
                let mut all: Vec<Dual> = d_q.iter().flat_map(|b| [b.pos.x, b.pos.y, b.mass]).collect();
                all.extend(d_u.iter().chain(&d_w).chain(&d_s));
                all.push(d_sum);
                if all.iter().any(|d| !(d.x.abs() < 1e4 && d.t.abs() < 1e5)) {
                    return Ok(Compared::Large);
                }
                let expected_x: Vec<f64> = all.iter().map(|d| d.x as f64).collect();
                let expected_t: Vec<f64> = all.iter().map(|d| d.t).collect();
                let (mut f_u, mut f_w, mut f_s) = (field(&u), field(&w), field(&s));
                let mut f_q = swathe::Field::from_slice(device, &q).unwrap();
                let (mut f_tu, mut f_tw, mut f_ts) = (field(&t_u), field(&t_w), field(&t_s));
                let mut f_tq = swathe::Field::from_slice(device, &t_q).unwrap();
                let (f_a, f_b) = (field(&a), field(&b));
                let (sum, t_sum) = $kernel::jvp(
                    &f_a,
                    &f_b,
                    &n_field,
                    &mut f_q,
                    &mut f_u,
                    &mut f_w,
                    &mut f_s,
                    &field(&t_a),
                    &field(&t_b),
                    &mut f_tq,
                    &mut f_tu,
                    &mut f_tw,
                    &mut f_ts,
                )
                .map_err(|e| format!("jvp: {e}"))?;
                let gathered = |q: &swathe::Field<Body>,
                                u: &swathe::Field<Real>,
                                w: &swathe::Field<Real>,
                                s: &swathe::Field<Real>,
                                sum: Real| {
                    let mut all = flat(&q.to_vec().unwrap());
                    for f in [u, w, s] {
                        all.extend(wide(&f.to_vec().unwrap()));
                    }
                    all.push(sum as f64);
                    all
                };
                let tolerance = if size_of::<Real>() == 4 { 3e-3 } else { 1e-9 };
                alike(
                    "values beside tangents",
                    &gathered(&f_q, &f_u, &f_w, &f_s, sum),
                    &expected_x,
                    tolerance,
                )?;
                alike(
                    "tangents",
                    &gathered(&f_tq, &f_tu, &f_tw, &f_ts, t_sum),
                    &expected_t,
                    tolerance,
                )?;
                // <w, J v> = <J^T w, v>
                let (w_a, w_b, w_u, w_w, w_s) = (
                    numbers(at + 31),
                    numbers(at + 32),
                    numbers(at + 33),
                    numbers(at + 34),
                    numbers(at + 35),
                );
                let w_q = bodies(at + 36);
                let w_sum: Real = 0.75;
                let mut weights = flat(&w_q);
                for w in [&w_u, &w_w, &w_s] {
                    weights.extend(wide(w));
                }
                weights.push(w_sum as f64);
                let products = |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| a * b).collect() };
                let mut forward = products(&weights, &expected_t);
                forward.extend(products(&wide(&w_a), &wide(&t_a)));
                forward.extend(products(&wide(&w_b), &wide(&t_b)));
                let (mut g_a, mut g_b, mut g_u, mut g_w, mut g_s) =
                    (field(&w_a), field(&w_b), field(&w_u), field(&w_w), field(&w_s));
                let mut g_q = swathe::Field::from_slice(device, &w_q).unwrap();
                $kernel::pullback(
                    &f_a,
                    &f_b,
                    &n_field,
                    &swathe::Field::from_slice(device, &q).unwrap(),
                    &field(&u),
                    &field(&w),
                    &field(&s),
                    &mut g_a,
                    &mut g_b,
                    &mut g_q,
                    &mut g_u,
                    &mut g_w,
                    &mut g_s,
                    w_sum,
                )
                .map_err(|e| format!("pullback: {e}"))?;
                let mut gradients = flat(&g_q.to_vec().unwrap());
                let mut tangents = flat(&t_q);
                for (g, t) in [
                    (&g_u, &t_u),
                    (&g_w, &t_w),
                    (&g_s, &t_s),
                    (&g_a, &t_a),
                    (&g_b, &t_b),
                ] {
                    gradients.extend(wide(&g.to_vec().unwrap()));
                    tangents.extend(wide(t));
                }
                let backward = products(&gradients, &tangents);
                let (f, b): (f64, f64) = (forward.iter().sum(), backward.iter().sum());
                let size = forward
                    .iter()
                    .chain(&backward)
                    .fold(1.0f64, |size, x| size.max(x.abs()));
                let near = (f - b).abs() <= tolerance * size;
                if !near {
                    return Err(format!("gradients: {b} along the direction, by dual numbers {f}"));
                }
            }
            Ok(Compared::Same)
        }
    };
}
