use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Cell {
    next: usize,
    level: [isize; 2],
    mass: f32,
}

fn main() {}
