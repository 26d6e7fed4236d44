use swathe::prelude::*;

mod math {
    pub fn square(x: f32) -> f32 {
        x * x
    }
}

#[kernel]
fn all(x: &mut Field<f32>) {
    for i in x.indices() {
        let y = math::square(x[i]);
        x[i] = y + 1.0;
    }
}

fn main() {}
