use swathe::prelude::*;

#[kernel]
fn pick(x: &mut Field<u32>) {
    for i in x.indices() {
        x[i] = match x[i] {
            0 => 1,
            1 => 2,
        };
    }
}

fn main() {}
