use swathe::prelude::*;

fn square(x: f32) -> f32 {
    x * x
}

#[kernel]
fn all(x: &mut Field<f32>) {
    for i in x.indices() {
        x[i] = square(x[i]);
    }
}

fn main() {}
