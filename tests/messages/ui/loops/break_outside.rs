use swathe::prelude::*;

#[kernel]
fn find(x: &mut Field<f32>) {
    for i in x.indices() {
        x[i] = 1.0;
    }
    break;
}

fn main() {}
