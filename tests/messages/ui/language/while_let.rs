use swathe::prelude::*;

#[kernel]
fn drain(x: &mut Field<u32>) {
    for i in x.indices() {
        while let Some(v) = x[i].checked_sub(1) {
            x[i] = v;
        }
    }
}

fn main() {}
