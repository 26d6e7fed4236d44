use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct P {
    x: f32,
    y: f32,
}

#[kernel(grad)]
fn kernel(all: &mut Field<P>) {
    for i in all.indices() {
        let mut p = all[i];
        p.x *= p.y;
        all[i] = p;
    }
}

fn main() {}
