use swathe::prelude::*;

#[kernel]
fn odd(x: &mut Field<f32>) {
    for i in x.indices() {
        for i in 0..4 {
            x[i] += 1.0;
        }
    }
}

fn main() {}
