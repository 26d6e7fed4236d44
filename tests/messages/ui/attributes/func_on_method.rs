use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Particle {
    mass: f32,
    vel: f32,
}

impl Particle {
    #[func]
    fn energy(&self) -> f32 {
        0.5 * self.mass * self.vel * self.vel
    }
}

fn main() {}
