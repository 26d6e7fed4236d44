use swathe::prelude::*;

#[kernel]
fn laplace(u: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in ndrange([h, w]) {
        if i > 0 && i + 1 < h {
            u[[i, j]] = 0.5 * (u[[i - 1, j]] + u[[i + 1, j]]);
        }
    }
}

fn main() {}
