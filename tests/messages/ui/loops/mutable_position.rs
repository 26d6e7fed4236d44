use swathe::prelude::*;

#[kernel]
fn shift(x: &mut Field<f32>) {
    for mut i in x.indices() {
        i += 1;
        x[i] = 1.0;
    }
}

fn main() {}
