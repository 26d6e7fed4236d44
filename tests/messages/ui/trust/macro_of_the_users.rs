use swathe::prelude::*;

macro_rules! assert {
    ($condition:expr) => {};
}

#[kernel]
fn k(out: &mut Field<f32>) {
    for i in out.indices() {
        assert!(i > 100);
        out[i] = 1.0;
    }
}

fn main() {}
