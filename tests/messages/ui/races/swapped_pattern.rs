use swathe::prelude::*;

#[kernel]
fn odd(x: &mut Field<f32, 2>) {
    for [i, j] in x.indices() {
        let [i, j] = [j, i + j];
        x[[i, j]] = 1.0;
    }
}

fn main() {}
