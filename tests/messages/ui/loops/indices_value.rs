use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32>) {
    let all = x.indices();
    for i in all {
        x[i] = 1.0;
    }
}

fn main() {}
