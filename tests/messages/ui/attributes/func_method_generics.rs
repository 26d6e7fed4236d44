use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Particle {
    mass: f32,
}

#[func]
impl Particle {
    fn scaled<T: swathe::math::Float>(self, by: T) -> f32 {
        self.mass
    }
}

fn main() {}
