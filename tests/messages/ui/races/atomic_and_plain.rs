use swathe::prelude::*;

#[kernel]
fn count(x: &Field<u32>, bins: &mut Field<u32>) {
    for i in x.indices() {
        bins[x[i] as usize].atomic_add(1);
        if bins[i] > 10 {
            bins[i] = 10;
        }
    }
}

fn main() {}
