use std::ops::AddAssign;

use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
#[element(Differentiable)]
struct Amount {
    value: f32,
}

#[func]
impl AddAssign<f32> for Amount {
    fn add_assign(&mut self, by: f32) {
        self.value = self.value * by;
    }
}

#[kernel(grad)]
fn kernel(y: &mut Field<Amount>) {
    for i in y.indices() {
        y[i] += 2.0;
    }
}

fn main() {}
