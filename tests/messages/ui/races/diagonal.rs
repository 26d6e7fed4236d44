use swathe::prelude::*;

/// `x[[i, i]]` is apart from the others' `x[[k, i]]` and `x[[i, k]]`, which meet.
#[kernel]
fn cross(x: &mut Field<f32, 2>, k: usize) {
    for i in 0..x.shape()[0] {
        x[[i, i]] = 1.0;
        x[[k, i]] += x[[i, i]];
        x[[i, k]] = 2.0;
    }
}

fn main() {}
