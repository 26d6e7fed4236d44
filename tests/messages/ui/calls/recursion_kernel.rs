use swathe::prelude::*;

#[kernel]
fn again(x: &mut Field<f32>, n: u32) {
    for i in x.indices() {
        x[i] = 1.0;
    }
    again(x, n - 1);
}

fn main() {}
