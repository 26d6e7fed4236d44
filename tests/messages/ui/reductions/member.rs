use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Sums {
    mass: f32,
    energy: f32,
}

#[kernel]
fn total(x: &Field<f32>) -> Sums {
    let mut s = Sums { mass: 0.0, energy: 0.0 };
    for i in x.indices() {
        s.mass += x[i];
    }
    s
}

fn main() {}
