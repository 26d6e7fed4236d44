use swathe::prelude::*;

#[kernel]
fn total(x: &Field<f32>, mut sum: f32) -> f32 {
    for i in x.indices() {
        sum = x[i];
    }
    sum
}

fn main() {}
