//! Items of arrays are told apart by literals.

use swathe::prelude::*;

const FIRST: usize = 0;

#[kernel]
fn named(x: &Field<i32>, out: &mut Field<i32>, k: usize) -> [i32; 3] {
    const SECOND: usize = 1;
    let mut s = [0; 3];
    for i in x.indices() {
        s[SECOND] += 1;
        s[0] += x[i];
        out[i] = s[k];
    }
    s
}

#[kernel]
fn named_alone(x: &Field<i32>) -> [[i32; 3]; 2] {
    let mut s = [[0; 3]; 2];
    for i in x.indices() {
        s[1][FIRST] += x[i];
    }
    s
}

fn main() {}
