use swathe::prelude::*;

#[kernel]
fn odd(x: &mut Field<f32>) {
    for i in x.indices() {
        let i = i / 2;
        x[i] = 1.0;
    }
}

fn main() {}
