use swathe::prelude::*;

#[kernel]
fn head(x: &mut Field<f32>) {
    for i in x.indices() {
        let a = [1.0, 2.0, 3.0, 4.0];
        let b = &a[1..3];
        x[i] = b[0];
    }
}

fn main() {}
