use swathe::prelude::*;

#[kernel]
fn odd(x: &mut Field<f32>) {
    const MIDDLE: usize = 3;
    for i in x.indices() {
        x[MIDDLE] = i as f32;
    }
}

fn main() {}
