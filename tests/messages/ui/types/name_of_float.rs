//! A type of integers by the name of a float: a division by it could go unchecked.

use swathe::prelude::*;

#[allow(non_camel_case_types)]
type f32 = i32;

#[kernel]
fn divide(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        out[i] = 100 / (x[i] as f32);
    }
}

#[func]
fn remainder(x: i64) -> i32 {
    100_i32.rem_euclid(x as f32)
}

fn main() {}
