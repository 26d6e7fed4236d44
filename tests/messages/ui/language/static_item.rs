use swathe::prelude::*;

#[kernel]
fn count(x: &mut Field<u32>) {
    static mut CALLS: u32 = 0;
    for i in x.indices() {
        x[i] += 1;
    }
}

fn main() {}
