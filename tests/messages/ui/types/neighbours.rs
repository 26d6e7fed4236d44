//! Rules of boundaries are for positions, and take an `i32` and an extent.

use swathe::prelude::*;

#[kernel]
fn of_signed(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        out[i] = x[i].periodic(-1, 5);
    }
}

#[kernel]
fn by_wide(x: &Field<i32>, by: isize, out: &mut Field<i32>) {
    for i in out.indices() {
        out[i] = x[i.clamped(by, x.len())];
    }
}

#[kernel]
fn without_extent(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        out[i] = x[i.reflected(1)];
    }
}

fn main() {}
