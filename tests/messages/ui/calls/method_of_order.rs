use swathe::prelude::*;

#[func]
fn greater(a: i32, b: i32) -> i32 {
    Ord::max(a, b)
}

#[kernel]
fn all(x: &mut Field<i32>) {
    for i in x.indices() {
        x[i] = std::cmp::Ord::clamp(greater(x[i], 3), i32::min(1, 2), 5);
    }
}

fn main() {}
