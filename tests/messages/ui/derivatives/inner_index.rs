use swathe::prelude::*;

#[kernel(grad)]
fn kernel(x: &Field<f64>, y: &mut Field<f64>) {
    for i in 0..3 {
        for k in 0..2 {
            y[2 * i + k] = y[2 * i + k] * y[2 * i + k] + x[i];
        }
    }
}

fn main() {}
