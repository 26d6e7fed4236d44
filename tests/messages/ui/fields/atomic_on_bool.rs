use swathe::prelude::*;

#[kernel]
fn mark(x: &Field<u32>, seen: &mut Field<f32>) {
    for i in x.indices() {
        seen[x[i] as usize].atomic_or(1.0);
    }
}

fn main() {}
