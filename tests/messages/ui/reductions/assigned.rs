use swathe::prelude::*;

#[kernel]
fn last(x: &Field<f32>) -> f32 {
    let mut found = 0.0;
    for i in x.indices() {
        if x[i] > 1.0 {
            found = x[i];
        }
    }
    found
}

fn main() {}
