use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Particle {
    pos: f32,
    vel: f32,
}

#[kernel]
fn drift(p: &mut Field<Particle>, dt: f32) {
    for i in p.indices() {
        let Particle { pos, vel } = p[i];
        p[i].pos = pos + vel * dt;
    }
}

fn main() {}
