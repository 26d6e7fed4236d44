use swathe::prelude::*;

#[kernel]
fn odd(x: &mut Field<f32>) {
    for i in x.indices() {
        let mut k = i;
        let j = k;
        k /= 2;
        x[j] = k as f32;
    }
}

fn main() {}
