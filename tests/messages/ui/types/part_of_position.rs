//! Parts of a position that has one name.

use swathe::prelude::*;

#[kernel]
fn parts(x: &mut Field<f32, 2>) {
    for p in x.indices() {
        let row: i32 = p[0];
        x[p] = row as f32 + p[1] as f32;
    }
}

#[kernel]
fn changed(x: &mut Field<f32, 2>) {
    for p in x.indices() {
        let [i, _] = p;
        p[0] += 1;
        x[p] = i as f32;
    }
}

fn main() {}
