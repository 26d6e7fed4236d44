use swathe::prelude::*;

#[kernel(grad)]
fn kernel(x: &mut Field<f32>) {
    for i in 0..x.len() / 2 {
        x[2 * i] = x[2 * i + 1] * x[2 * i];
    }
}

fn main() {}
