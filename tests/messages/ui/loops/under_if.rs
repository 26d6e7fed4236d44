use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32>, on: bool) {
    if on {
        for i in x.indices() {
            x[i] = 1.0;
        }
    }
}

fn main() {}
