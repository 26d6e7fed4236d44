use std::ops::Mul;

use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
#[element(Differentiable)]
struct Amount {
    value: f32,
}

#[func]
impl Mul<f32> for Amount {
    type Output = Amount;
    fn mul(self, by: f32) -> Amount {
        Amount {
            value: self.value * by + 1.0,
        }
    }
}

#[kernel(jvp)]
fn kernel(x: &Field<Amount>, y: &mut Field<Amount>) {
    for i in y.indices() {
        y[i] = x[i] * 2.0;
    }
}

fn main() {}
