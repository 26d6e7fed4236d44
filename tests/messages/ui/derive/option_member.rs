use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Cell {
    next: Option<u32>,
}

fn main() {}
