//! What the host computes with a kernel's number has no derivative.

use swathe::derivative::value_and_gradient;
use swathe::prelude::*;

#[kernel(grad)]
fn energy(x: &Field<f32>) -> f32 {
    let mut e = 0.0;
    for i in x.indices() {
        e += x[i] * x[i];
    }
    e
}

fn main() -> swathe::Result<()> {
    let x = Field::full(&Device::cpu(), 3, 1.0)?;
    let (_, _) = value_and_gradient([x.source()], || energy(&x))?;
    let (_, _) = value_and_gradient([x.source()], || {
        let e = energy(&x)?;
        Ok(e * e)
    })?;
    Ok(())
}
