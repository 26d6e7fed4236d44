use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32>) {
    for i in x.indices() {
        for w in [0.25, 0.5, 0.25] {
            x[i] += w;
        }
    }
}

fn main() {}
