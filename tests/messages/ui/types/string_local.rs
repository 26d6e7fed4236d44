use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32>) {
    for i in x.indices() {
        let s = String::new();
        x[i] = 1.0;
    }
}

fn main() {}
