use swathe::prelude::*;

#[kernel]
fn scale(x: &mut Field<f32>, a: f32) {
    let twice = |v: f32| 2.0 * v * a;
    for i in x.indices() {
        x[i] = twice(x[i]);
    }
}

fn main() {}
