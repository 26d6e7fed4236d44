use swathe::prelude::*;

#[kernel]
fn mixed(x: &Field<f32>) -> f32 {
    let mut a = 1.0;
    for i in x.indices() {
        a += x[i];
        a *= 0.5;
    }
    a
}

fn main() {}
