use swathe::prelude::*;

#[derive(Element, Clone)]
struct Particle {
    pos: f32,
    name: String,
}

fn main() {}
