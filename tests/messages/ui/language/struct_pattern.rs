use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Particle {
    pos: f32,
    vel: f32,
}

#[derive(Element, Clone, Copy)]
struct Other {
    pos: f32,
}

#[kernel]
fn drift(p: &mut Field<Particle>, dt: f32) {
    for i in p.indices() {
        let Other { pos } = p[i];
        p[i].pos = pos + dt;
    }
}

#[kernel]
fn missing(p: &mut Field<Particle>) {
    for i in p.indices() {
        let Particle { pos } = p[i];
        p[i].vel = pos;
    }
}

#[kernel]
fn position(p: &mut Field<Particle>) {
    for Particle { pos, vel } in p.indices() {
        p[0].vel = pos * vel;
    }
}

fn main() {}
