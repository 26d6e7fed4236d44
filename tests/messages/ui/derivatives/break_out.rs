use swathe::prelude::*;

#[kernel(grad)]
fn kernel(x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        let mut v = x[i];
        for _ in 0..10 {
            if v > 1.0 {
                break;
            }
            v *= 1.5;
        }
        y[i] = v;
    }
}

fn main() {}
