use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32>) {
    for i in x.indices() {
        let v = 1.0;
        v += x[i];
        x[i] = v;
    }
}

fn main() {}
