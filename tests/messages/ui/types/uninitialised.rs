use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32>) {
    for i in x.indices() {
        let v: f32;
        if i > 3 {
            v = 1.0;
        }
        x[i] = v;
    }
}

fn main() {}
