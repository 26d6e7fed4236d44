use swathe::prelude::*;

#[kernel]
fn all(x: &mut Field<f32>, scale: f32) {
    for i in x.indices() {
        x[i] = x[i] * scael;
    }
}

fn main() {}
