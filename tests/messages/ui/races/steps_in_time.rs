use swathe::prelude::*;

#[kernel]
fn grow(u: &mut Field<f32>, steps: usize) {
    for _ in 0..steps {
        for i in u.indices() {
            u[i] *= 2.0;
        }
    }
}

fn main() {}
