use swathe::prelude::*;

#[kernel]
fn odd(x: &mut Field<f32>) {
    for i in x.indices() {
        match i {
            0 => {}
            k => x[k] = 1.0,
        }
    }
}

fn main() {}
