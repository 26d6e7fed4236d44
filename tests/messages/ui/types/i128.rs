use swathe::prelude::*;

#[kernel]
fn wide(x: &mut Field<u32>) {
    for i in x.indices() {
        let v = x[i] as u128;
        x[i] = v as u32;
    }
}

fn main() {}
