use swathe::prelude::*;

#[swathe_tests_messages_macros::shadows]
#[kernel]
fn k(out: &mut Field<f32>) {
    for i in out.indices() {
        out[i] = 1.0;
    }
}

fn main() {}
