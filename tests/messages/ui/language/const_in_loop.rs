use swathe::prelude::*;

#[kernel]
fn scale(x: &mut Field<f32>) {
    for i in x.indices() {
        const FACTOR: f32 = 2.0;
        x[i] *= FACTOR;
    }
}

fn main() {}
