//! Generated code has variables of its own beside the user's.
use swathe::prelude::*;

#[kernel]
fn fill(f: &mut Field<f32>, __start: usize) {
    for i in 0..__start {
        let __n = 1.0;
        f[i] = __n;
    }
}

fn main() {}
