use swathe::prelude::*;

const RANK: usize = 2;

#[kernel]
fn all(x: &Field<i32, RANK>, y: &Field<i32, 2>, out: &mut Field<i32>) {
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
