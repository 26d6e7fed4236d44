use swathe::prelude::*;

#[kernel]
fn count(n: u32) -> u32 {
    n + 1
}

#[kernel]
fn outer(x: &mut Field<u32>) {
    for i in x.indices() {
        x[i] = count(i as u32);
    }
}

fn main() {}
