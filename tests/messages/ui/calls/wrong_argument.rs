use swathe::prelude::*;

#[func]
fn square(x: f32) -> f32 {
    x * x
}

#[kernel]
fn all(x: &mut Field<f32>, n: &Field<u32>) {
    for i in x.indices() {
        x[i] = square(n[i]);
    }
}

fn main() {}
