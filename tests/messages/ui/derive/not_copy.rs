use swathe::prelude::*;

#[derive(Element)]
struct Particle {
    pos: f32,
}

fn main() {}
