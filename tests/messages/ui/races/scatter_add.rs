use swathe::prelude::*;

#[kernel]
fn histogram(v: &Field<u32>, bins: &mut Field<u32>) {
    for i in v.indices() {
        bins[v[i] as usize] += 1;
    }
}

fn main() {}
