//! A slip behind which rustc's parser goes on.

use swathe::prelude::*;

#[kernel]
fn between(x: &mut Field<i32>) {
    for i in x.indices() {
        if 1 < x[i] < 5 {
            x[i] = 3;
        }
    }
}

fn main() {
    let mut x = Field::zeros(&Device::cpu(), 3).unwrap();
    between(&mut x).unwrap();
}
