use ndarray::Array1;
use swathe::prelude::*;

#[kernel]
fn copy(x: &Field<f32>, out: &mut Array1<f32>) {
    for i in out.indices() {
        out[i] = x[i];
    }
}

fn main() -> swathe::Result<()> {
    let doubles = Field::<f64>::zeros(&Device::cpu(), 3)?;
    let mut out = Array1::<f32>::zeros(3);
    copy(&doubles, &mut out)?;
    let singles = Field::<f32>::zeros(&Device::cpu(), 3)?;
    let mut doubles = Array1::<f64>::zeros(3);
    copy(&singles, &mut doubles)
}
