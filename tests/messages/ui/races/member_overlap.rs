use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Particle {
    pos: f32,
    vel: f32,
}

#[kernel]
fn pull(p: &mut Field<Particle>) {
    for i in p.indices() {
        let mut force = 0.0;
        for j in 0..p.len() {
            let other = p[j];
            force += other.pos - p[i].pos;
        }
        p[i].vel += force;
    }
}

fn main() {}
