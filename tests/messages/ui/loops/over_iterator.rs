use swathe::prelude::*;

#[kernel]
fn total(x: &Field<f32>) -> f32 {
    let mut sum = 0.0;
    for (i, v) in x.iter().enumerate() {
        sum += v;
    }
    sum
}

fn main() {}
