use std::ops::Range;

use swathe::prelude::*;

// These hide the functions of the prelude alone.
fn serial(_: Range<usize>) -> Range<usize> {
    0..1
}

fn ndrange(_: [usize; 2]) -> impl Iterator<Item = [usize; 2]> {
    [[0, 0]].into_iter()
}

mod generic {
    pub fn serial<I: Iterator>(range: I) -> impl Iterator<Item = I::Item> {
        range.take(1)
    }

    pub fn ndrange<const D: usize>(extents: [usize; D]) -> impl Iterator<Item = [usize; D]> {
        swathe::ndrange(extents.map(|n| n / 2))
    }
}

mod renamed {
    pub use swathe::ndrange as serial;
}

#[kernel]
fn k(out: &mut Field<f32>) {
    for i in serial(0..3) {
        out[i] += 1.0;
    }
    for [_, _] in ndrange([2, 3]) {
        let _ = out.len();
    }
    for i in generic::serial(0..3) {
        out[i] += 1.0;
    }
    for i in renamed::serial(0..3) {
        out[i] += 1.0;
    }
}

#[func]
fn of_a_function(n: usize) -> usize {
    let mut sum = 0;
    for i in serial(0..n) {
        sum += i;
    }
    for [a, b] in generic::ndrange([n, n]) {
        sum += a * b;
    }
    sum
}

fn main() {}
