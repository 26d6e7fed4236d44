use swathe::prelude::*;

#[kernel]
fn address(x: &mut Field<f32>) {
    for i in x.indices() {
        let p = &raw mut x[i];
        let q: *mut f32 = p;
    }
}

fn main() {}
