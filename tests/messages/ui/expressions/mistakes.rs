use swathe::prelude::*;
use swathe::call;

#[derive(Element, Clone, Copy)]
struct Own {
    a: f32,
}

impl std::ops::Mul for Own {
    type Output = Own;

    fn mul(self, other: Own) -> Own {
        Own { a: self.a * other.a }
    }
}

fn plain(x: f32) -> f32 {
    x + 1.0
}

fn main() -> swathe::Result<()> {
    let device = Device::cpu();
    let x = Field::<f32>::zeros(&device, 3)?;
    let z = Field::<f32, 2>::zeros(&device, [3, 3])?;
    let mut w = Field::<f32>::zeros(&device, 3)?;
    let own = Field::<Own>::zeros(&device, 3)?;
    // The rank of the result is 2.
    let _: Field<f32, 1> = (&x + &z).eval()?;
    // It is borrowed.
    w.assign(&w + 1.0)?;
    // An operator that is no `#[func]`.
    let _ = (&own * &own).eval()?;
    // A function that is none.
    let _ = x.expr().map(call!(plain(_))).eval()?;
    Ok(())
}
