use swathe::prelude::*;

#[kernel]
fn all(x: &mut Field<f32>, y: &mut Field<f32>) {
    for i in x.indices() {
        let mut a = x[i];
        let mut b = y[i];
        std::mem::swap(&mut a, &mut b);
        x[i] = a;
        y[i] = b;
    }
}

fn main() {}
