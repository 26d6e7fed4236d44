use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Pair {
    a: f32,
    b: f32,
}

#[kernel]
fn take(p: &mut Field<Pair>) {
    for i in p.indices() {
        let mut a = 0.0;
        let mut b = 0.0;
        Pair { a, b } = p[i];
        p[i].a = b;
        p[i].b = a;
    }
}

fn main() {}
