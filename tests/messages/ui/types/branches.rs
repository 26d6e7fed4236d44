use swathe::prelude::*;

#[kernel]
fn pick(x: &mut Field<f32>) {
    for i in x.indices() {
        x[i] = if i > 3 { 1.0 } else { 2 };
    }
}

fn main() {}
