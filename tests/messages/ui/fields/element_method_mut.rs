use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Particle {
    pos: f32,
}

#[func]
impl Particle {
    fn push(&mut self, by: f32) {
        self.pos += by;
    }
}

#[kernel]
fn fill(p: &mut Field<Particle>) {
    for i in p.indices() {
        p[i].push(1.0);
    }
}

fn main() {}
