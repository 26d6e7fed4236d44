use swathe::prelude::*;

#[func]
fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

#[kernel]
fn all(x: &mut Field<f32>) {
    for i in x.indices() {
        x[i] = lerp(x[i], 1.0);
    }
}

fn main() {}
