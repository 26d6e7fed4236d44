use swathe::prelude::*;

#[kernel]
fn relax(x: &mut Field<f32>) {
    loop {
        for i in x.indices() {
            x[i] *= 0.5;
        }
        break;
    }
}

fn main() {}
