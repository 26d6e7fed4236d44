//! Macros in types and constants, which are expanded once for each copy of the code.

use swathe::prelude::*;

macro_rules! word {
    () => {
        u32
    };
}

macro_rules! three {
    () => {
        3
    };
}

#[kernel]
fn in_body(x: &Field<f32>, out: &mut Field<f32>) {
    const SIZE: usize = three!();
    for i in out.indices() {
        let k = i as word!() as usize;
        let list = [x[k]; three!()];
        let other: [f32; three!()] = [1.0; SIZE];
        out[i] = list[0] + other[1];
    }
}

#[kernel]
fn in_signature(x: &Field<word!()>, out: &mut Field<u32>) {
    for i in out.indices() {
        out[i] = x[i];
    }
}

#[func]
fn in_function(x: [f32; three!()]) -> f32 {
    x[0]
}

#[derive(Element, Clone, Copy)]
struct Members {
    x: word!(),
    y: [f32; three!()],
}

fn main() {}
