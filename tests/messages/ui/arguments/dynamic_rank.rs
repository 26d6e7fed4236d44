use ndarray::{ArrayD, Array2};
use swathe::prelude::*;

#[kernel]
fn clear(x: &mut ArrayD<f32>) {
    for i in 0..x.len() {
        x[i] = 0.0;
    }
}

#[kernel]
fn clear_grid(x: &mut Array2<f32>) {
    for [i, j] in x.indices() {
        x[[i, j]] = 0.0;
    }
}

fn main() -> swathe::Result<()> {
    let mut x = ArrayD::<f32>::zeros(vec![3, 3]);
    clear_grid(&mut x)
}
