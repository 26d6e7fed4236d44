use swathe::prelude::*;

#[derive(Clone, Copy)]
struct Inner {
    a: f32,
}

#[derive(Element, Clone, Copy)]
struct Outer {
    inner: Inner,
}

fn main() {}
