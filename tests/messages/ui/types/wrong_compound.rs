use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32>, n: u32) {
    for i in x.indices() {
        x[i] += n;
    }
}

fn main() {}
