use swathe::prelude::*;

#[kernel]
fn rows(x: &Field<f32, 2>, sums: &mut Field<f32>) {
    for [i, j] in x.indices() {
        sums[i] += x[[i, j]];
    }
}

fn main() {}
