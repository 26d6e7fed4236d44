use swathe::prelude::*;

#[kernel]
fn mark(x: &Field<u32>, seen: &mut Field<f32>) {
    for i in x.indices() {
        seen.atomic_or(x[i] as usize, 1.0);
    }
}

fn main() {}
