use swathe::prelude::*;

#[kernel]
fn odd(x: &mut Field<f32>) {
    for i in (0..x.len()).step_by(2) {
        x[i] = 1.0;
        x[i / 2] = 2.0;
    }
}

fn main() {}
