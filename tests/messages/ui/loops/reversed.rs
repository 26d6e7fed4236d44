use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32>) {
    for i in (0..x.len()).rev() {
        x[i] = 1.0;
    }
}

fn main() {}
