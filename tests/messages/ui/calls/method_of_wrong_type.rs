use swathe::prelude::*;

#[kernel]
fn all(n: &mut Field<u32>) {
    for i in n.indices() {
        n[i] = n[i].to_degrees();
    }
}

fn main() {}
