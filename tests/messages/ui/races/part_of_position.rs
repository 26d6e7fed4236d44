use swathe::prelude::*;

#[kernel]
fn odd(x: &mut Field<f32, 2>) {
    for p in x.indices() {
        let [i, _] = p;
        x[[i, 0]] = 1.0;
    }
}

fn main() {}
