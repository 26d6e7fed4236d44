use swathe::prelude::*;

#[kernel]
fn odd(x: &mut Field<f32>) {
    for i in 0..x.len() / 3 {
        x[2 * i] = 1.0;
        x[3 * i + 1] = 2.0;
    }
}

fn main() {}
