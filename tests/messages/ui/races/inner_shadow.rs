use swathe::prelude::*;

#[kernel]
fn odd(x: &mut Field<f32>) {
    for i in x.indices() {
        {
            let i = 3;
            x[i] = 1.0;
        }
        x[i] = 2.0;
    }
}

fn main() {}
