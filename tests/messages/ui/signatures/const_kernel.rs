use swathe::prelude::*;

#[func]
fn two() -> f32 {
    2.0
}

#[kernel]
const fn fill(x: &mut Field<f32>) {
    for i in x.indices() {
        x[i] = two();
    }
}

fn main() {}
