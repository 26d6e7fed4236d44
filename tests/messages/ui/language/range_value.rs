use swathe::prelude::*;

#[kernel]
fn range(x: &mut Field<f32>, n: usize) {
    let r = 0..n;
    for i in r {
        x[i] = 0.0;
    }
}

fn main() {}
