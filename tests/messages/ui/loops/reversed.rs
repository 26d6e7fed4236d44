use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32>) {
    for i in (0..x.len()).rev() {
        x[i] = 1.0;
    }
}

#[kernel]
fn from_the_end(x: &mut Field<f32>) {
    for i in (1..x.len()).rev().step_by(2) {
        x[i] = 1.0;
    }
}

#[kernel]
fn behind_steps(x: &mut Field<f32>) {
    for i in (1..x.len()).step_by(2).rev() {
        x[i] = 1.0;
    }
}

#[kernel]
fn twice(x: &mut Field<f32>) {
    for i in serial((1..x.len()).rev().rev()) {
        x[i] = 1.0;
    }
    for i in serial((1..x.len()).rev().step_by(2).rev().rev()) {
        x[i] = 1.0;
    }
}

fn main() {}
