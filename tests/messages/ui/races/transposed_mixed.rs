use swathe::prelude::*;

#[kernel]
fn symmetric(m: &mut Field<f32, 2>) {
    for [i, j] in m.indices() {
        m[[i, j]] = 0.5 * (m[[i, j]] + m[[j, i]]);
    }
}

fn main() {}
