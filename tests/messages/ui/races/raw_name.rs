//! `r#i` and `i` are one name.
use swathe::prelude::*;

#[kernel]
fn add(f: &mut Field<f32>) {
    for i in f.indices() {
        let r#i = 5_usize;
        f[i] += 1.0;
    }
}

fn main() {}
