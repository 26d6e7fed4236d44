use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32>, n: usize) {
    for i in ..n {
        x[i] = 1.0;
    }
}

fn main() {}
