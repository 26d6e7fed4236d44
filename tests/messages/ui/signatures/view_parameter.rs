use ndarray::Array1;
use swathe::FieldView;
use swathe::prelude::*;

#[kernel]
fn copy(x: &FieldView<f32>, out: &mut Field<f32>) {
    for i in out.indices() {
        out[i] = x[i];
    }
}

#[kernel]
fn clear(x: Array1<f32>) {
    for i in x.indices() {
        x[i] = 0.0;
    }
}

fn main() {}
