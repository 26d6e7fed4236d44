use swathe::prelude::*;

#[kernel]
fn odd(x: &mut Field<f32, 2>) {
    let [h, w] = x.shape();
    for [i, j] in ndrange([h, w]) {
        x[[i + j, j - i]] = 1.0;
    }
}

fn main() {}
