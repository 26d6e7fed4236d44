use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32, 2>) {
    let [n, m] = x.shape();
    for [i, j] in ndrange(n, m) {
        x[[i, j]] = 1.0;
    }
}

fn main() {}
