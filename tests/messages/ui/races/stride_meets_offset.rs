use swathe::prelude::*;

#[kernel]
fn odd(x: &mut Field<f32>) {
    for i in 0..x.len() / 2 {
        x[2 * i] += x[2 * i + 1] + x[2 * i + 2];
    }
}

fn main() {}
