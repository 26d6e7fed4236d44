use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Particle {
    pos: f32,
    vel: f32,
}

#[kernel]
fn drift(p: &mut Field<Particle>, dt: f32) {
    for i in p.indices() {
        let q = &mut p[i];
        q.pos += q.vel * dt;
    }
}

fn main() {}
