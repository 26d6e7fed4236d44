use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Particle {
    kind: u8,
    mass: f32,
}

#[kernel]
fn incomplete(p: &mut Field<Particle>) {
    for i in p.indices() {
        p[i].mass = match p[i] {
            Particle { kind: 0, mass } => mass,
            Particle { kind: 1..=255 } => 1.0,
        };
    }
}

#[kernel]
fn open(p: &mut Field<Particle>) {
    for i in p.indices() {
        p[i].mass = match p[i] {
            Particle { kind: 0, .. } => 1.0,
            Particle { kind: 2..=255, mass } => mass,
        };
    }
}

fn main() {}
