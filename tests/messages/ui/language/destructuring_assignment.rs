use swathe::prelude::*;

#[kernel]
fn swap(x: &mut Field<f32>, y: &Field<f32>) {
    for i in x.indices() {
        (x[i], y[i]) = (y[i], x[i]);
    }
}

#[kernel]
fn shift(x: &mut Field<f32>) {
    for i in x.indices() {
        (x[i], x[i + 1]) = (1.0, 2.0);
    }
}

#[kernel]
fn count(x: &mut Field<f32>) {
    for i in x.indices() {
        let (mut a, mut b) = (0.0, 1.0);
        (a, b) = (b, a, 3.0);
        x[i] = a + b;
    }
}

fn main() {}
