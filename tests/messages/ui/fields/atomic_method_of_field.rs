use swathe::prelude::*;

#[kernel]
fn count(x: &Field<u32>, bins: &mut Field<u32>) {
    for i in x.indices() {
        bins.atomic_add(x[i] as usize, 1);
    }
}

fn main() {}
