use swathe::prelude::*;

#[kernel]
fn total(v: &Field<f32>, sum: &mut Field<f32>) {
    for i in v.indices() {
        sum[0] += v[i];
    }
}

fn main() {}
