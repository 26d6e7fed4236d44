use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32, 2>) {
    for [] in x.indices() {
        x[[0, 0]] = 1.0;
    }
}

fn main() {}
