use swathe::prelude::*;

#[kernel]
fn all(x: &mut Field<f32>) {
    for i in x.indices() {
        x[i] = x[i].into::<f32>();
    }
}

fn main() {}
