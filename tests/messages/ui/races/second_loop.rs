use swathe::prelude::*;

#[kernel]
fn odd(x: &mut Field<f32>, y: &Field<f32>) {
    for i in x.indices() {
        x[i] = y[i];
    }
    for i in 1..x.len() {
        x[i] += x[i - 1];
    }
}

fn main() {}
