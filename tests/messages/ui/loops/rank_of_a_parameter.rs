use swathe::prelude::*;

#[kernel]
fn all<const D: usize>(x: &Field<i32, D>, y: &Field<i32, 2>, out: &mut Field<i32>) {
    for i in out.indices() {
        for p in x.indices() {
            out[i] += x[p];
        }
        for [j] in y.indices() {
            out[i] += y[[j, j]];
        }
    }
}

fn main() {}
