use swathe::prelude::*;

#[func]
struct Particle {
    pos: f32,
}

fn main() {}
