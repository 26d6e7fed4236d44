use swathe::prelude::*;
use swathe_tests_messages_macros::begins;

#[begins(let n = 7_usize;)]
#[kernel]
fn parameter(x: &Field<f32>, n: usize, out: &mut Field<f32>) {
    for i in out.indices() {
        if i + n < x.len() {
            out[i] = x[i + n];
        }
    }
}

#[begins(let n = 7_u32;)]
#[func]
fn in_a_function(n: u32) -> u32 {
    n + 1
}

fn main() {}
