use swathe::prelude::*;

#[kernel]
fn checked(x: &mut Field<i32>) {
    for i in x.indices() {
        let Some(v) = x[i].checked_add(1) else {
            continue;
        };
        x[i] = v;
    }
}

fn main() {}
