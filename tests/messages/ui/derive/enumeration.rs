use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
enum Kind {
    Fluid,
    Solid,
}

fn main() {}
