use swathe::prelude::*;

#[kernel]
fn signed(u: &mut Field<f32, 2>, n: i32) {
    for [i, j] in ndrange([1..n, 0..n]) {
        u[[i, j]] = 1.0;
    }
}

fn main() {}
