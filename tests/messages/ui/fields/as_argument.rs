use swathe::prelude::*;

#[func]
fn left(x: f32) -> f32 {
    x
}

#[kernel]
fn copy(x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] = left(x);
    }
}

fn main() {}
