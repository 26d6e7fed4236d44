use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Cell {
    next: usize,
}

fn main() {}
