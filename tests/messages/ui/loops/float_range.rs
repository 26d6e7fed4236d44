use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32>) {
    for i in 0.0..1.0 {
        x[0] = i;
    }
}

fn main() {}
