use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32>, value: Option<f32>) {
    for i in x.indices() {
        x[i] = value.unwrap_or(0.0);
    }
}

fn main() {}
