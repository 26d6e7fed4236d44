use swathe::prelude::*;

#[kernel]
fn pick(x: &mut Field<u8>) {
    for i in x.indices() {
        x[i] = 256;
    }
}

fn main() {}
