use swathe::prelude::*;

#[kernel]
fn total(x: &Field<f32>) -> u32 {
    let mut s = 0.0;
    for i in x.indices() {
        s += x[i];
    }
    s
}

fn main() {}
