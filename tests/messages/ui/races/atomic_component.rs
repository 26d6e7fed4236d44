use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Body {
    pos: Vec2,
    mass: f32,
}

/// Members are places of their own, components of one vector are not.
#[kernel]
fn pull(b: &mut Field<Body>) {
    for i in b.indices() {
        b[i].mass = 1.0;
        b[0].pos.x.atomic_add(1.0);
        b[i].pos.y += 1.0;
    }
}

fn main() {}
