// Fields as arguments of functions: types that do not fit.

use swathe::prelude::*;

#[func]
fn at(u: &Field<f32>, i: usize) -> f32 {
    u[i]
}

#[func]
fn half(x: f32) -> f32 {
    0.5 * x
}

#[func]
fn assigned(u: &Field<f32>, i: usize) -> f32 {
    u[i] = 1.0;
    u[i]
}

#[kernel]
fn another_element(u: &Field<f64>, v: &mut Field<f32>) {
    for i in v.indices() {
        v[i] = at(u, i);
    }
}

#[kernel]
fn another_rank(u: &Field<f32, 2>, v: &mut Field<f32>) {
    for i in v.indices() {
        v[i] = at(u, i);
    }
}

#[kernel]
fn a_number_for_a_field(u: &Field<f32>, v: &mut Field<f32>) {
    for i in v.indices() {
        v[i] = at(u[i], i);
    }
}

#[kernel]
fn a_field_for_a_number(u: &Field<f32>, v: &mut Field<f32>) {
    for i in v.indices() {
        v[i] = half(u);
    }
}

fn main() {}
