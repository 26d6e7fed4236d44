use swathe::prelude::*;

#[kernel]
fn find(x: &Field<f32>, y: &mut Field<f32>) {
    'all: for i in x.indices() {
        for j in 0..i {
            if x[j] < 0.0 {
                break 'all;
            }
        }
        y[i] = x[i].sqrt();
    }
}

fn main() {}
