use swathe::prelude::*;

#[kernel]
fn add(x: &Field<f32>, u: &mut OffsetField<f32>) {
    for i in u.indices() {
        u[i] += x[i];
    }
    for i in x.indices() {
        u[i] = x[i];
    }
}

fn main() {}
