//! A field of rank 0 has one position, which is no pattern.

use swathe::prelude::*;

type One = Field<f32, 0>;

#[kernel]
fn by_pattern(x: &mut Field<f32, 0>, y: &mut One) {
    for [] in x.indices() {
        x[[]] += 1.0;
    }
    for [] in serial(y.indices()) {
        y[[]] += 1.0;
    }
}

#[kernel]
fn by_no_index(x: &mut Field<f32, 0>) {
    for _k in x.indices() {
        x[[]] += 1.0;
    }
}

#[kernel]
fn by_no_name(x: &mut Field<f32, 0>) {
    for _ in x.indices() {
        x[[]] = 1.0;
    }
}

#[kernel]
fn by_others(x: &mut Field<f32, 0>, y: &Field<f32>) {
    for i in y.indices() {
        x[[]] += y[i];
    }
}

#[kernel]
fn of_any_rank<const D: usize>(x: &mut Field<f32, D>) {
    for [] in x.indices() {
        x[[]] = 1.0;
    }
}

fn main() {}
