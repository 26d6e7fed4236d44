use swathe::prelude::*;

#[func]
fn bump(x: &mut f32) {
    *x += 1.0;
}

#[kernel]
fn all(x: &mut Field<f32>) {
    for i in x.indices() {
        bump(&mut x[i]);
    }
}

fn main() {}
