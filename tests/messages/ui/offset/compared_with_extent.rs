use swathe::prelude::*;

#[kernel]
fn shift(x: &OffsetField<f32, 2>, u: &mut OffsetField<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in u.indices() {
        if i + 1 < h && j + 1 < w {
            u[[i, j]] = x[[i + 1, j + 1]];
        }
    }
}

fn main() {}
