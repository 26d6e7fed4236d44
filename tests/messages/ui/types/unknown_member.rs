use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Particle {
    pos: f32,
}

#[kernel]
fn drift(p: &mut Field<Particle>) {
    for i in p.indices() {
        p[i].pos += p[i].vel;
    }
}

fn main() {}
