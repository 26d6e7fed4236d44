use swathe::prelude::*;

#[kernel]
fn all(x: &mut Field<f32>) {
    for i in x.indices() {
        x[i] = sqare(x[i]);
    }
}

fn main() {}
