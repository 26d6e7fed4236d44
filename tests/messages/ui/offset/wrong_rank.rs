use swathe::prelude::*;

#[kernel]
fn parallel(u: &mut OffsetField<f32, 2>) {
    for [i, j, k] in u.indices() {
        u[[i, j]] = k as f32;
    }
}

#[kernel]
fn sequential(u: &mut OffsetField<f32, 2>) {
    for i in serial(u.indices()) {
        u[[i, i]] = 1.0;
    }
}

#[kernel]
fn index(u: &mut OffsetField<f32, 2>) {
    for [i, j] in u.indices() {
        u[[i, j]] = u[i];
    }
}

fn main() {}
