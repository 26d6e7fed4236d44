use swathe::prelude::*;

#[func]
fn double(K: i32) -> i32 {
    const K: i32 = 3;
    K * 2
}

#[kernel]
fn fill(x: &mut Field<f32>, PI: f32) {
    use std::f32::consts::PI;
    for i in x.indices() {
        x[i] = PI;
    }
}

fn main() {}
