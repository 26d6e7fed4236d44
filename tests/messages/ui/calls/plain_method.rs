use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Particle {
    mass: f32,
    vel: f32,
}

impl Particle {
    fn energy(&self) -> f32 {
        0.5 * self.mass * self.vel * self.vel
    }
}

#[kernel]
fn total(p: &Field<Particle>) -> f32 {
    let mut e = 0.0;
    for i in p.indices() {
        e += p[i].energy();
    }
    e
}

fn main() {}
