use swathe::prelude::*;

#[kernel]
fn odd(x: &mut Field<f32, 2>) {
    let [h, w] = x.shape();
    for [i, j] in ndrange([h - 2, w - 2]) {
        x[[i + 1, j + 1]] = 0.25 * (x[[i, j + 1]] + x[[i + 2, j + 1]]);
    }
}

fn main() {}
