use swathe::prelude::*;

#[kernel]
fn count(x: &Field<u32>, bins: &mut Field<u32>) {
    for i in x.indices() {
        bins[x[i] as usize].atomic_add();
        bins[x[i] as usize].atomic_compare_exchange(1);
        bins[0].atomic_load(1);
    }
}

fn main() {}
