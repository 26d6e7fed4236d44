use swathe::prelude::*;

#[kernel]
fn find(x: &Field<f32>, y: &mut Field<f32>) {
    for i in x.indices() {
        if x[i] < 0.0 {
            break;
        }
        y[i] = x[i].sqrt();
    }
}

fn main() {}
