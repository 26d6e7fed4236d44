use swathe::prelude::*;

#[kernel(grad)]
fn kernel(x: &Field<f32>, y: &mut Field<f32>, m: &mut Field<f32>) {
    for i in x.indices() {
        y[i] = m[0].atomic_add(x[i]);
        m[1].atomic_max(x[i]);
    }
}

fn main() {}
