use ndarray::s;
use swathe::prelude::*;

#[kernel]
fn fill(u: &mut OffsetField<f32>) {
    for i in u.indices() {
        u[i] = 1.0;
    }
}

#[kernel]
fn clear(u: &mut Field<f32>) {
    for i in u.indices() {
        u[i] = 0.0;
    }
}

fn main() {
    let mut u = Field::<f32>::zeros(&Device::cpu(), 4).unwrap();
    fill(&mut u).unwrap();
    fill(&mut u.slice_mut(s![1..3]).unwrap()).unwrap();
    let mut u = u.with_origin(-1).unwrap();
    clear(&mut u).unwrap();
}
