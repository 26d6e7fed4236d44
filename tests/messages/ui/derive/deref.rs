//! `a[i].x` would be a second name of `a[i].b.x`.
use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Inner {
    x: f32,
}

#[derive(Element, Clone, Copy)]
struct Outer {
    b: Inner,
    c: f32,
}

impl std::ops::Deref for Outer {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.b
    }
}

#[kernel]
fn mirror(a: &mut Field<Outer>) {
    let n = a.len();
    for i in a.indices() {
        a[i].b = Inner { x: 1.0 };
        a[i].c = a[n - 1 - i].x;
    }
}

fn main() {}
