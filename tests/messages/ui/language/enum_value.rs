use swathe::prelude::*;

enum Kind {
    Fluid,
    Solid(f32),
}

#[kernel]
fn mark(x: &mut Field<f32>) {
    for i in x.indices() {
        let kind = Kind::Solid(x[i]);
        x[i] = match kind {
            Kind::Fluid => 0.0,
            Kind::Solid(density) => density,
        };
    }
}

fn main() {}
