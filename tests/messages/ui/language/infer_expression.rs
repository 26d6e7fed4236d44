use swathe::prelude::*;

#[kernel]
fn ignore(x: &mut Field<f32>) {
    for i in x.indices() {
        _ = x[i];
        let y = _;
    }
}

fn main() {}
