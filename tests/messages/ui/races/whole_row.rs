use swathe::prelude::*;

#[kernel]
fn rows(x: &mut Field<f32, 2>) {
    let [h, w] = x.shape();
    for i in 0..h {
        for k in 0..w {
            x[[i, k]] += x[[k, i]];
        }
    }
}

fn main() {}
