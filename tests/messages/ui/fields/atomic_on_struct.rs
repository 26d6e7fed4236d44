use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Particle {
    pos: f32,
}

#[kernel]
fn count(x: &Field<Particle>, sum: &mut Field<Particle>) {
    for i in x.indices() {
        sum[0].atomic_add(x[i]);
    }
}

fn main() {}
