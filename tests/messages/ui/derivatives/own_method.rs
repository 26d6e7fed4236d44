use std::ops::Mul;

use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Scale {
    by: f64,
}

#[func]
impl Scale {
    fn max(self, least: f32) -> f64 {
        self.by + least as f64
    }
}

#[func]
impl Mul<f32> for Scale {
    type Output = f64;

    fn mul(self, by: f32) -> f64 {
        self.by + by as f64
    }
}

#[func]
fn scale(by: f64) -> Scale {
    Scale { by }
}

#[kernel(grad)]
fn method(x: &Field<f64>, w: &mut Field<f64>, y: &mut Field<f64>) {
    for i in y.indices() {
        let e = 0.1;
        w[i] = scale(2.0).max(e);
        y[i] = if e + 0.2 > 0.3 { x[i] } else { 2.0 * x[i] };
    }
}

#[kernel(grad)]
fn operator(x: &Field<f64>, y: &mut Field<f64>) {
    for i in y.indices() {
        let e = 0.1;
        let product = scale(2.0) * e;
        let _same: f64 = product;
        y[i] = if e + 0.2 > 0.3 { x[i] } else { 2.0 * x[i] };
    }
}

#[func]
fn small(n: u8) -> f64 {
    n as f64
}

#[kernel(grad)]
fn below(x: &Field<f64>, w: &mut Field<f64>, y: &mut Field<f64>) {
    for i in y.indices() {
        let a = 1;
        let b = a - 2;
        w[i] = small(b);
        y[i] = if b > 100 { x[i] } else { 2.0 * x[i] };
    }
}

#[kernel(grad)]
fn down(x: &Field<f64>, w: &mut Field<f64>, y: &mut Field<f64>) {
    for i in y.indices() {
        let mut a = 1;
        for _ in 0..2 {
            a -= 1;
        }
        w[i] = small(a);
        y[i] = if a > 100 { x[i] } else { 2.0 * x[i] };
    }
}

fn main() {}
