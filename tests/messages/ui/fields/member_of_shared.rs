use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Particle {
    pos: f32,
}

#[kernel]
fn fill(p: &Field<Particle>) {
    for i in p.indices() {
        p[i].pos += 1.0;
    }
}

fn main() {}
