use swathe::prelude::*;

#[kernel]
fn count(x: &mut Field<u8>) {
    for i in x.indices() {
        x[0].atomic_add(1);
    }
}

fn main() {}
