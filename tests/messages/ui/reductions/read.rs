use swathe::prelude::*;

#[kernel]
fn prefix(x: &Field<f32>, y: &mut Field<f32>) -> f32 {
    let mut sum = 0.0;
    for i in x.indices() {
        sum += x[i];
        y[i] = sum;
    }
    sum
}

fn main() {}
