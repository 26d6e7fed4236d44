use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Particle {
    pos: Vec3,
    mass: f32,
}

#[func]
impl Particle {
    fn weight(self) -> f32 {
        9.81 * self.mass
    }
}

#[kernel]
fn odd(p: &mut Field<Particle>) {
    for i in p.indices() {
        p[i].pos.z -= p[p.len() - 1 - i].weight();
    }
}

fn main() {}
