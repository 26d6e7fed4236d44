use swathe::prelude::*;

#[derive(Clone, Copy)]
struct Pair {
    a: f32,
    b: f32,
}

#[kernel]
fn fill(x: &mut Field<f32>) {
    for i in x.indices() {
        let p = Pair { a: x[i], b: 1.0 };
        x[i] = p.a + p.b;
    }
}

fn main() {}
