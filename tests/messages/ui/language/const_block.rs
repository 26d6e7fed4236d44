use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32>) {
    for i in x.indices() {
        x[i] = const { 1.0 + 1.0 };
    }
}

fn main() {}
