use ndarray::s;
use swathe::prelude::*;

#[kernel]
fn copy(x: &Field<f32>, out: &mut Field<f32>) {
    for i in out.indices() {
        out[i] = x[i];
    }
}

fn main() -> swathe::Result<()> {
    let mut x = Field::<f32>::zeros(&Device::cpu(), 3)?;
    copy(&x.slice(s![1..])?, &mut x.slice_mut(s![..2])?)
}
