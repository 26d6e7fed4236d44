use swathe::prelude::*;

#[kernel]
fn total(x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] = x.get(i);
    }
    y.fill(0.0);
    let s = x.iter();
}

fn main() {}
