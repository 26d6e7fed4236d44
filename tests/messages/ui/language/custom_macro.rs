use swathe::prelude::*;

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

#[kernel]
fn all(x: &mut Field<f32>) {
    for i in x.indices() {
        x[i] = square!(x[i]);
    }
}

fn main() {}
