use swathe::prelude::*;

#[kernel]
fn all(x: &mut Field<f32>) {
    fn square(v: f32) -> f32 {
        v * v
    }
    for i in x.indices() {
        x[i] = square(x[i]);
    }
}

fn main() {}
