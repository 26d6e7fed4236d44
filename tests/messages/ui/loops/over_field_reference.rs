use swathe::prelude::*;

#[kernel]
fn total(x: &Field<f32>) -> f32 {
    let mut sum = 0.0;
    for v in &x {
        sum += v;
    }
    sum
}

fn main() {}
