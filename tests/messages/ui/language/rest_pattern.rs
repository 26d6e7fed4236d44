use swathe::prelude::*;

#[kernel]
fn width(u: &mut Field<f32, 3>) {
    let [w, ..] = u.shape();
    for i in 0..w {
        u[[i, 0, 0]] = 0.0;
    }
}

fn main() {}
