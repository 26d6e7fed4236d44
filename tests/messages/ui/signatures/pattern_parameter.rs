use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32>, (a, b): (f32, f32)) {
    for i in x.indices() {
        x[i] = a + b;
    }
}

fn main() {}
