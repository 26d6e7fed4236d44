use ndarray::{Array1, s};
use swathe::prelude::*;

#[kernel]
fn clear(x: &mut Field<f32>) {
    for i in x.indices() {
        x[i] = 0.0;
    }
}

#[kernel]
fn clear_array(x: &mut Array1<f32>) {
    for i in x.indices() {
        x[i] = 0.0;
    }
}

fn main() -> swathe::Result<()> {
    let x = Field::<f32>::zeros(&Device::cpu(), 3)?;
    clear(&mut x.slice(s![1..])?)?;
    clear(&x)?;
    let array = Array1::<f32>::zeros(3);
    clear_array(&mut array.view())
}
