use swathe::prelude::*;

#[kernel]
fn last(x: &Field<f32>) -> f32 {
    let mut q = 1.0;
    for i in x.indices() {
        q /= x[i];
    }
    q
}

fn main() {}
