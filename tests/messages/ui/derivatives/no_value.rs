use swathe::prelude::*;

#[kernel(grad(x, k))]
fn kernel(x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] = x[i];
    }
}

fn main() {}
