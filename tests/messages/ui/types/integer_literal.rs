use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32>) {
    for i in x.indices() {
        x[i] = 1;
        x[i] = x[i] * 2;
    }
}

fn main() {}
