use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Particle {
    pos: f32,
}

#[kernel]
fn count(x: &Field<Particle>, sum: &mut Field<Particle>) {
    for i in x.indices() {
        sum.atomic_add(0, x[i]);
    }
}

fn main() {}
