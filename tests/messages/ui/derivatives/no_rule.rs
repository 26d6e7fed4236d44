use swathe::prelude::*;

#[kernel(grad)]
fn kernel(x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] = x[i].rem_euclid(2.0);
    }
}

fn main() {}
