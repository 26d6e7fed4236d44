use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Particle {
    mass: f32,
}

impl Particle {
    fn new(mass: f32) -> Self {
        Particle { mass }
    }
}

#[kernel]
fn make(p: &mut Field<Particle>) {
    for i in p.indices() {
        p[i] = Particle::new(1.0);
    }
}

fn main() {}
