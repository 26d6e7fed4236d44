use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32, 2>) {
    for (i, j) in x.indices() {
        x[[i, j]] = 1.0;
    }
}

fn main() {}
