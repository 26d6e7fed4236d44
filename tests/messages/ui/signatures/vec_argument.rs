use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32>, values: &Vec<f32>) {
    for i in x.indices() {
        x[i] = values[i];
    }
}

fn main() {}
