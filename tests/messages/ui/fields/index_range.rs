use swathe::prelude::*;

#[kernel]
fn gather(x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] = x[0..2];
    }
}

fn main() {}
