use swathe::prelude::*;

#[kernel]
fn copy(x: &Field<f32, 2>, y: &mut Field<f32, 2>) {
    for [i, j] in y.indices() {
        y[[i, j]] = x[(i, j)];
    }
}

fn main() {}
