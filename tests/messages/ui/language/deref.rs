use swathe::prelude::*;

#[kernel]
fn copy(x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] = *(x[i] + 1.0);
    }
}

fn main() {}
