use std::ops::Add;

use swathe::prelude::*;

#[kernel]
fn two_starts(y: &mut Field<f32>, a: usize, b: usize) {
    for i in 0..100 {
        y[a + i] = y[b + i];
    }
}

#[kernel]
fn read_in_the_loop(starts: &Field<u32>, y: &mut Field<f32>) {
    for i in starts.indices() {
        let start = starts[i] as usize;
        y[start + i] = 1.0;
    }
}

#[kernel]
fn changed(y: &mut Field<f32>, mut start: usize) {
    start += 1;
    for i in 0..100 {
        y[start + i] = 1.0;
    }
}

#[kernel]
fn from_both_ends(y: &mut Field<f32>) {
    for i in y.indices() {
        y[y.len() - 1 - i] = y[i];
    }
}

#[kernel]
fn multiple_by_name(y: &mut Field<f32>, start: usize) {
    for i in 0..100 {
        let k = start + 2 * i;
        y[k] = 1.0;
    }
}

#[kernel]
fn multiple_of_a_variable(y: &mut Field<f32>, n: usize) {
    for i in 0..100 {
        y[n * i] = 1.0;
    }
}

/// Positions from 2^52 on would be one, and the sum in bounds.
#[kernel]
fn multiple_from_a_start(y: &mut Field<f32>, start: usize) {
    for i in 0..100 {
        y[2 * i - start] = 1.0;
    }
}

#[derive(Element, Clone, Copy)]
struct Anywhere {
    k: u64,
}

#[func]
impl Add<usize> for Anywhere {
    type Output = usize;

    fn add(self, _: usize) -> usize {
        self.k as usize
    }
}

#[kernel]
fn no_number(y: &mut Field<f32>, start: Anywhere) {
    for i in 0..100 {
        y[start + i] = 1.0;
    }
}

#[func]
impl std::ops::Sub for Anywhere {
    type Output = usize;

    fn sub(self, _: Anywhere) -> usize {
        1
    }
}

#[kernel]
fn no_difference(y: &mut Field<f32>, start: Anywhere) {
    for i in 0..100 {
        let k = start - start + i;
        y[k] = y[i] + 1.0;
    }
}

fn main() {}
