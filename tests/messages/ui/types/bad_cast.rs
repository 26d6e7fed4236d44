use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32>) {
    for i in x.indices() {
        x[i] = (i > 3) as f32;
    }
}

fn main() {}
