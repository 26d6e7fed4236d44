use swathe::prelude::*;

#[kernel]
fn find(x: &mut Field<f32>) {
    for i in x.indices() {
        for j in 0..4 {
            continue 'outer;
        }
        x[i] = 1.0;
    }
}

fn main() {}
