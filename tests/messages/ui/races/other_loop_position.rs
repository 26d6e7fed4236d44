use swathe::prelude::*;

#[kernel]
fn half(x: &mut Field<f32>) {
    for i in 0..x.len() {
        for j in 0..i {
            x[j] += 1.0;
        }
    }
}

fn main() {}
