use swathe::prelude::*;

#[kernel]
fn odd(x: &mut Field<f32>, n: usize) {
    for i in 0..x.len() / n {
        x[n * i] = 1.0;
    }
}

fn main() {}
