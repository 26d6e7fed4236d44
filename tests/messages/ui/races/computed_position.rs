use swathe::prelude::*;

#[kernel]
fn reverse(x: &Field<f32>, y: &mut Field<f32>) {
    let n = y.len();
    for i in 0..n {
        let j = n - 1 - i;
        y[j] = x[i];
    }
}

fn main() {}
