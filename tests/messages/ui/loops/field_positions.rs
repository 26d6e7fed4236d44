use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32, 2>) {
    for [i, j, k] in x.indices() {
        x[[i, j]] = k as f32;
    }
}

fn main() {}
