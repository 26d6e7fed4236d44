use swathe::prelude::*;

#[func]
fn bump(x: &mut f32) {
    *x += 1.0;
}

#[kernel]
fn count(x: &Field<f32>) -> f32 {
    let mut n = 0.0;
    for i in x.indices() {
        if x[i] > 0.0 {
            bump(&mut n);
        }
    }
    n
}

fn main() {}
