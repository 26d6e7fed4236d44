use swathe::prelude::*;

#[kernel]
fn histogram(x: &Field<u32>) -> [u32; 4] {
    let mut counts = [0; 4];
    for i in x.indices() {
        counts[(x[i] & 3) as usize] += 1;
    }
    counts
}

fn main() {}
