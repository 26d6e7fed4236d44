use swathe::prelude::*;

#[kernel]
fn add(x: &Field<f32>, y: &mut Field<f32>) {
    for (i, j) in x.indices().zip(y.indices()) {
        y[j] += x[i];
    }
}

fn main() {}
