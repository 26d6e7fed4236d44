use swathe::prelude::*;

#[kernel(grad)]
fn kernel(x: &Field<f32>, a: &mut Field<f32>, b: &mut Field<f32>) {
    for i in a.indices() {
        a[i] = x[i] * x[i];
    }
    for i in b.indices() {
        b[i] = a[i] * a[i];
    }
}

fn main() {}
