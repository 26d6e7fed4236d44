use swathe::prelude::*;

#[kernel]
fn convert(x: &Field<u32>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] = x[i] as _;
    }
}

fn main() {}
