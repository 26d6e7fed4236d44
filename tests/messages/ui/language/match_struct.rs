use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Particle {
    kind: u32,
    vel: f32,
}

#[kernel]
fn stop(p: &mut Field<Particle>) {
    for i in p.indices() {
        match p[i] {
            Particle { kind: 0, .. } => p[i].vel = 0.0,
            _ => {}
        }
    }
}

fn main() {}
