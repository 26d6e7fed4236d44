use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<Vec2>, n: u32) {
    for i in x.indices() {
        x[i] += n;
    }
}

fn main() {}
