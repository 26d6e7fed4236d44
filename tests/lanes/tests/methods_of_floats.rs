//! Functions of floats: those of `f32` are this crate's, those of other types, and of the user's, stay what they are.

use swathe::prelude::*;
use swathe_tests_lanes::{SIZES, field, number, values, versions};

#[derive(Clone, Copy, Element, Debug, PartialEq)]
struct Wave {
    a: f32,
}

#[func]
impl Wave {
    fn sin(self) -> f32 {
        self.a * 2.0
    }
    fn exp(self, x: f32) -> f32 {
        self.a + x
    }
}

#[func]
fn both(x: f32, y: f64) -> f64 {
    x.sin() as f64 + y.sin() + (x * 2.0).powf(1.5) as f64 + x.atan2(0.5) as f64
}

#[kernel]
fn all(x: &Field<f32>, y: &Field<f64>, w: &Field<Wave>, out: &mut Field<f64>, p: &mut Field<f32>) {
    for i in out.indices() {
        let v = Vec2::new(x[i], 3.0);
        let z = w[i];
        out[i] = both(x[i], y[i]) + y[i].exp() + z.sin() as f64 + z.exp(1.0) as f64 + v.x.ln() as f64;
        p[i] = (x[i] + 1.0).cos() + x[i].powf(2.0) * v.y.tanh() + v.x.hypot(v.y);
        p[i] += f32::exp(x[i]);
    }
}

#[kernel]
fn generic<T: Float>(x: &Field<T>, out: &mut Field<T>) {
    for i in out.indices() {
        out[i] = x[i].sin();
    }
}

#[test]
fn functions() {
    for n in SIZES {
        versions(|version| {
            let (x, y, w) = (
                field(n, number),
                field(n, |i| f64::from(number(i + 3)) + 0.25),
                field(n, |i| Wave { a: number(i + 9) }),
            );
            let (mut out, mut p) = (field(n, |_| 0.0), field(n, |_| 0.0));
            all(&x, &y, &w, &mut out, &mut p).unwrap();
            for i in 0..n {
                let (x, y, a) = (number(i), f64::from(number(i + 3)) + 0.25, number(i + 9));
                let want = f64::from(x).sin()
                    + y.sin()
                    + f64::from(x * 2.0).powf(1.5)
                    + f64::from(x).atan2(0.5)
                    + y.exp()
                    + f64::from(a * 2.0)
                    + f64::from(a + 1.0)
                    + f64::from(x).ln();
                let got = values(&out)[i];
                assert!((got - want).abs() < 2e-6 || got == want, "{version} {i}: {got} {want}");
                let want = f64::from(x + 1.0).cos()
                    + f64::from(x).powi(2) * 3.0_f64.tanh()
                    + f64::from(x).hypot(3.0)
                    + f64::from(x).exp();
                assert!((f64::from(values(&p)[i]) - want).abs() < 3e-6, "{version} {i}");
            }
            let mut s = field(n, |_| 0.0_f32);
            generic(&x, &mut s).unwrap();
            for i in 0..n {
                assert_eq!(values(&s)[i], f64::from(number(i)).sin() as f32);
            }
        });
    }
}
