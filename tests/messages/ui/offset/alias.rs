use swathe::prelude::*;

type Grid = OffsetField<f32, 2>;

#[kernel]
fn fill(u: &mut Grid) {
    for [i, j] in u.indices() {
        u[[i, j]] = 1.0;
    }
}

fn main() {}
