use swathe::prelude::*;

#[func]
fn left(x: &Field<f32>, i: usize) -> f32 {
    x[i - 1]
}

fn main() {}
