use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32>, value: &f32) {
    for i in x.indices() {
        x[i] = *value;
    }
}

fn main() {}
