use swathe::prelude::*;

#[kernel]
fn odd(x: &mut Field<f32>) {
    for i in x.indices() {
        let mut k = i;
        k += 1;
        x[k] = 1.0;
    }
}

fn main() {}
