use swathe::prelude::*;

#[func]
fn square(x: f32) -> f32 {
    x * x
}

#[kernel]
fn all(x: &mut Field<f32>) {
    let f = square;
    for i in x.indices() {
        x[i] = f(x[i]);
    }
}

fn main() {}
