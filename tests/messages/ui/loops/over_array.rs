use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32>) {
    for w in [0.25, 0.5, 0.25] {
        x[0] += w;
    }
}

fn main() {}
