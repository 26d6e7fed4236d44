use swathe::prelude::*;

#[kernel]
fn gather(x: &Field<f32>, at: &Field<u32>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] = x[at[i]];
    }
}

fn main() {}
