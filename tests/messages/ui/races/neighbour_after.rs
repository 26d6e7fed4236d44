use swathe::prelude::*;

#[kernel]
fn smooth(x: &mut Field<f32>) {
    for i in 0..x.len() - 1 {
        x[i] = 0.5 * x[i];
        let right = x[i + 1];
    }
}

fn main() {}
