//! `r#pos` and `pos` are one member.
use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Particle {
    pos: f32,
    vel: f32,
}

#[kernel]
fn mirror(p: &mut Field<Particle>) {
    let n = p.len();
    for i in p.indices() {
        p[i].pos = 1.0;
        p[i].vel = p[n - 1 - i].r#pos;
    }
}

fn main() {}
