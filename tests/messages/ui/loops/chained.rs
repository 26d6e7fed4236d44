use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32>) {
    for i in (0..4).chain(8..12) {
        x[i] = 1.0;
    }
}

fn main() {}
