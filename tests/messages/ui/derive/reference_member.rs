use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Cell<'a> {
    value: &'a f32,
}

fn main() {}
