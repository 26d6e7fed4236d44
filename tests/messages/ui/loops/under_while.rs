use swathe::prelude::*;

#[kernel]
fn relax(x: &mut Field<f32>, steps: u32) {
    let mut k = 0;
    while k < steps {
        for i in x.indices() {
            x[i] *= 0.5;
        }
        k += 1;
    }
}

fn main() {}
