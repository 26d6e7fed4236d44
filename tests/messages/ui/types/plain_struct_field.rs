use swathe::prelude::*;

#[derive(Clone, Copy)]
struct Pair {
    a: f32,
    b: f32,
}

#[kernel]
fn fill(x: &mut Field<Pair>) {
    for i in x.indices() {
        x[i].a = x[i].b;
    }
}

fn main() {}
