use swathe::prelude::*;

#[kernel]
fn ramp(x: &mut Field<f32>) {
    for i in x.indices() {
        let k: u32 = x[i];
        x[i] = k as f32;
    }
}

fn main() {}
