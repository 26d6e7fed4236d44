use swathe::prelude::*;

#[kernel(strict, fast_math)]
fn fill(x: &mut Field<f32>) {
    for i in x.indices() {
        x[i] = 1.0;
    }
}

fn main() {}
