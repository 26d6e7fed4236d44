//! The macro sees a body before rustc has resolved `#[cfg]`.
use swathe::prelude::*;

#[kernel]
fn fill(f: &mut Field<f32>) {
    for i in f.indices() {
        #[cfg(any())]
        let x = 1.0;
        let x = 2.0;
        f[i] = x;
    }
}

fn main() {}
