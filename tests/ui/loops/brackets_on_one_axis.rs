//! Brackets around one name would be all positions of a field of several axes.
use swathe::prelude::*;

#[kernel]
fn fill(f: &Field<f32, 2>, g: &mut Field<f32, 2>) {
    for [i] in f.indices() {
        g[i] = 1.0;
    }
}

fn main() {}
