use swathe::prelude::*;

#[kernel]
fn fill(y: &mut Field<f32>) {
    for [i, j] in y.indices() {
        y[[i, j]] = 1.0;
    }
}

fn main() {}
