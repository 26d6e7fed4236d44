use swathe::prelude::*;

#[kernel]
fn odd(x: &mut Field<f32>) {
    for i in x.indices() {
        x[0 * i + 1] = 1.0;
        x[i - i] = 1.0;
    }
}

fn main() {}
