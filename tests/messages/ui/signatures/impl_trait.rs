use swathe::prelude::*;

#[kernel]
fn copy(x: &impl AsRef<[f32]>, n: impl Into<usize>) {
    for i in 0..10 {
        let j = i;
    }
}

#[func]
fn of_any(x: &dyn AsRef<f32>, k: usize) -> usize {
    k
}

fn main() {}
