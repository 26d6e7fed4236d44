use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Particle {
    mass: f32,
}

impl Particle {
    #[func]
    fn unit() -> f32 {
        1.0
    }
}

fn main() {}
