use swathe::prelude::*;

#[kernel]
fn odd(x: &mut Field<f32>, n: usize) {
    for i in x.indices() {
        let (i, _k) = (n, i);
        x[i] = 1.0;
    }
}

fn main() {}
