use swathe::prelude::*;

#[kernel]
fn sample(x: &Field<f32>, y: &mut Field<f32>, t: f32) {
    for i in y.indices() {
        y[i] = x[t];
    }
}

fn main() {}
