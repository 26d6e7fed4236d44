use swathe::prelude::*;

#[derive(Element, Clone)]
struct Pair<T> {
    a: T,
    b: T,
}

fn main() {}
