use swathe::prelude::*;

#[kernel]
fn fill(u: OffsetField<f32>) {
    for i in u.indices() {
        u[i] = 1.0;
    }
}

#[func]
fn first(u: &OffsetField<f32>) -> f32 {
    u[0]
}

fn main() {}
