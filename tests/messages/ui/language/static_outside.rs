use swathe::prelude::*;

static mut CALLS: u32 = 0;

#[kernel]
fn count(x: &mut Field<u32>) {
    for i in x.indices() {
        x[i] += unsafe { CALLS };
    }
}

fn main() {}
