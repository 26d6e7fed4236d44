use swathe::prelude::*;

#[func]
fn reset(at: &mut usize) {
    *at = 0;
}

#[func]
fn move_on(at: &mut [usize; 2]) {
    at[1] = 0;
}

#[kernel]
fn name(x: &mut Field<f32>) {
    for i in x.indices() {
        reset(&mut i);
        x[i] = 1.0;
    }
}

#[kernel]
fn array(x: &mut Field<f32, 2>) {
    for p in x.indices() {
        move_on(&mut p);
        x[p] = 1.0;
    }
}

#[kernel]
fn part_of_ranges(x: &mut Field<f32, 2>) {
    for [i, j] in ndrange([1..4, 0..3]) {
        reset(&mut i);
        x[[i, j]] = 1.0;
    }
}

fn main() {}
