use swathe::prelude::*;

#[kernel]
struct Particle {
    pos: f32,
}

fn main() {}
