use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Complex {
    re: f32,
    im: f32,
}

#[kernel]
fn double(z: &mut Field<Complex>) {
    for i in z.indices() {
        z[i] = z[i] + z[i];
    }
}

fn main() {}
