use swathe::prelude::*;

#[kernel]
fn all(x: &mut Field<f32>, n: &mut Field<u32>) {
    for i in x.indices() {
        x[i] = x[i].next_up();
        n[i] = n[i].ilog2();
    }
}

fn main() {}
