use swathe::prelude::*;

#[kernel]
fn ramp(x: &mut Field<f32>) {
    for i in x.indices() {
        if x[i] {
            x[i] = 1.0;
        }
    }
}

fn main() {}
