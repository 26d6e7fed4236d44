use swathe::prelude::*;

#[kernel]
fn fill<const D: usize>(x: &mut Field<f32, D>, n: usize) {
    for i in x.indices() {
        x[i] = n as f32;
    }
}

#[kernel]
fn copy<const D: usize>(x: &OffsetField<f32, { D }>, out: &mut Field<f32, 2>) {
    for [i, j] in out.indices() {
        out[[i, j]] = x[[i, j]] + x[[j, i]];
    }
}

// A position of any rank can be handed in.
#[kernel]
fn at<const D: usize>(x: &Field<f32, D>, p: [usize; D]) -> f32 {
    x[p] + x.len() as f32
}

fn main() {}
