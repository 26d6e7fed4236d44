use swathe::prelude::*;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Fluid,
    Solid,
}

#[kernel]
fn mark(x: &mut Field<f32>, limit: f32) {
    for i in x.indices() {
        let kind = if x[i] > limit { Kind::Solid } else { Kind::Fluid };
        x[i] = if kind == Kind::Solid { 1.0 } else { 0.0 };
    }
}

fn main() {}
