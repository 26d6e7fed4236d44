use swathe::prelude::*;

#[kernel]
fn sum(x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        let v: &f32 = x[i];
        y[i] = *v;
    }
}

fn main() {}
