//! A loop over a range of floats with its end.

use swathe::prelude::*;

#[kernel]
fn sums(x: &mut Field<f32>) {
    for i in x.indices() {
        for _ in 0.0..=1.0 {
            x[i] += 1.0;
        }
    }
}

fn main() {}
