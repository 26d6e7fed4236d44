use swathe::prelude::*;

#[kernel]
fn ramp(x: &mut Field<f32>, dx: f32) {
    for i in x.indices() {
        x[i] = i * dx;
    }
}

fn main() {}
