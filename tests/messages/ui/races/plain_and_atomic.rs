use swathe::prelude::*;

#[kernel]
fn count(x: &Field<u32>, bins: &mut Field<u32>) {
    for i in x.indices() {
        let before = bins[i];
        bins[x[i] as usize].atomic_add(before);
    }
}

fn main() {}
