use swathe::prelude::*;

#[kernel]
fn copy(x: &Field<f32>, y: &mut Field<f32>) {
    let z = x;
    for i in y.indices() {
        y[i] = z[i];
    }
}

fn main() {}
