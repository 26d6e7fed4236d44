//! A crate that calls itself `core` is told what it would be told anyway.
extern crate self as core;

use swathe::prelude::*;

#[kernel]
fn backwards(out: &mut Field<f32>) {
    for i in (0..out.len()).rev() {
        out[i] = 1.0;
    }
}

#[derive(Element, Clone, Copy)]
struct Text {
    name: &'static str,
}

fn main() {}
