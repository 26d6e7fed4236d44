use swathe::prelude::*;

#[kernel]
fn total(x: &Field<f32>) -> f32 {
    (0..x.len()).map(|i| x[i]).sum()
}

fn main() {}
