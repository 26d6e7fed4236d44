use swathe::prelude::*;

#[kernel]
fn copy<'a>(x: &'a Field<f32>, y: &'a mut Field<f32>) {
    for i in y.indices() {
        y[i] = x[i];
    }
}

fn main() {}
