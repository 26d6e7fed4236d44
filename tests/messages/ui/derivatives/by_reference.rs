use swathe::prelude::*;

#[func(grad)]
fn sum(x: &Field<f32>, i: usize) -> f32 {
    x[i] + x[i + 1]
}

fn main() {}
