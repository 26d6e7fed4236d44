use swathe::prelude::*;

#[kernel]
fn all(x: &mut Field<f32>) {
    for i in x.indices() {
        x[i] = (x[i] > 0.0).then(|| 1.0).unwrap_or(0.0);
    }
}

fn main() {}
