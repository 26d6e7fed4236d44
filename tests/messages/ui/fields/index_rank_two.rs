use swathe::prelude::*;

#[kernel]
fn copy(x: &Field<f32, 2>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] = x[i];
    }
}

fn main() {}
