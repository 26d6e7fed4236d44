use swathe::prelude::*;

#[kernel]
fn lowest(x: &Field<f32>) -> f32 {
    let mut m = 1e30;
    for i in x.indices() {
        if x[i] < m {
            m = x[i];
        }
    }
    m
}

fn main() {}
