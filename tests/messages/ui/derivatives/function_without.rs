use swathe::prelude::*;

#[func]
fn twice(x: f32) -> f32 {
    2.0 * x
}

#[kernel(grad)]
fn kernel(x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] = twice(x[i]);
    }
}

fn main() {}
