use ndarray::{ArrayRef, ArrayView1, Dim};
use swathe::prelude::*;

#[kernel]
fn next(x: &mut Field<usize>, by: usize, steps: &Field<[isize; 3], 2>) {
    for i in x.indices() {
        x[i] = x[i] + by + steps[[i, 0]][0] as usize;
    }
}

#[kernel]
fn view(w: &ArrayRef<usize, Dim<[usize; 2]>>, x: &mut Field<u64>) {
    for i in x.indices() {
        x[i] = w[[i, i]] as u64;
    }
}

// The integers of a shape are no elements, and numbers that are passed by value neither.
#[kernel]
fn fine(w: &ArrayRef<u32, Dim<[usize; 2]>>, v: ArrayView1<u64>, n: usize, x: &mut Field<u64>) {
    for i in x.indices() {
        x[i] = w[[i, n]] as u64 + v[i];
    }
}

fn main() {}
