use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32, 2>) {
    let [n, m] = x.shape();
    for [i, j, k] in ndrange([n, m]) {
        x[[i, j]] = k as f32;
    }
}

fn main() {}
