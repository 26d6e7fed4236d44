use swathe::prelude::*;

#[kernel]
fn swap(x: &mut Field<f32>, y: &mut Field<f32>) {
    for i in x.indices() {
        (x[i], y[i]) = (y[i], x[i]);
    }
}

fn main() {}
