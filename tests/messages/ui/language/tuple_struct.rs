use swathe::prelude::*;

#[derive(Clone, Copy)]
struct Meters(f32);

#[kernel]
fn walk(x: &mut Field<f32>) {
    for i in x.indices() {
        let m = Meters(x[i]);
        x[i] = m.0;
    }
}

fn main() {}
