use swathe::prelude::*;

#[func]
fn sum(x: &[f32]) -> f32 {
    x[0] + x[1]
}

fn main() {}
