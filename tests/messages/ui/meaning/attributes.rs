//! Attributes that take something away, or that other macros answer to, and raw names of them.

use swathe::prelude::*;

#[kernel]
fn raw_cfg(x: &mut Field<f32>) {
    for i in x.indices() {
        #[r#cfg(any())]
        {
            continue;
        }
        x[i] = 1.0;
    }
}

#[kernel]
fn raw_cfg_attr(x: &mut Field<f32>) {
    for i in x.indices() {
        #[r#cfg_attr(all(), r#cfg(any()))]
        {
            x[i] = 1.0;
        }
    }
}

#[func]
fn other(x: f32) -> f32 {
    #[inline]
    const HALF: f32 = 0.5;
    #[swathe::renamed]
    let y = x * HALF;
    y
}

#[kernel]
fn lints(#[allow(unused)] n: usize, x: &mut Field<f32>) {
    for i in x.indices() {
        #[allow(clippy::assign_op_pattern)]
        { x[i] = x[i] + 1.0; }
    }
}

#[derive(Element, Clone, Copy)]
#[r#repr(packed)]
struct Packed {
    x: f64,
}

fn main() {}
