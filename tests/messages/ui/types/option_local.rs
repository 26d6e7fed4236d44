use swathe::prelude::*;

#[kernel]
fn next(x: &mut Field<u32>) {
    for i in x.indices() {
        let v = x[i].checked_add(1);
        x[i] = 1;
    }
}

fn main() {}
