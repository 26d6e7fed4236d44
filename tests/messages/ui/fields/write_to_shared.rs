use swathe::prelude::*;

#[kernel]
fn fill(x: &Field<f32>) {
    for i in x.indices() {
        x[i] = 1.0;
    }
}

fn main() {}
