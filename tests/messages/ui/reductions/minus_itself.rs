use swathe::prelude::*;

#[kernel]
fn mean(x: &Field<f32>) -> f32 {
    let mut m = 0.0;
    for i in x.indices() {
        m += x[i] - m;
    }
    m
}

fn main() {}
