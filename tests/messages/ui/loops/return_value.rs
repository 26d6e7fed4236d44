use swathe::prelude::*;

#[kernel]
fn find(x: &Field<f32>) -> usize {
    for i in x.indices() {
        if x[i] < 0.0 {
            return i;
        }
    }
    0
}

fn main() {}
