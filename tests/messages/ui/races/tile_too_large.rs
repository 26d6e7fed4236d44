use swathe::prelude::*;

#[kernel]
fn odd(x: &mut Field<f32>) {
    for i in 0..x.len() / 2 {
        for a in 0..3 {
            x[2 * i + a] = 1.0;
        }
    }
}

fn main() {}
