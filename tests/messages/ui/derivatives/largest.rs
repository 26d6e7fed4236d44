use swathe::prelude::*;

#[kernel(grad)]
fn kernel(x: &Field<f32>) -> f32 {
    let mut most = f32::MIN;
    for i in x.indices() {
        most = most.max(x[i]);
    }
    most
}

fn main() {}
