use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Cell {
    flows: [f32; 4],
    mass: f32,
}

#[kernel]
fn odd(c: &mut Field<Cell>) {
    for i in c.indices() {
        c[i].flows[0] = c[0].flows[1];
    }
}

fn main() {}
