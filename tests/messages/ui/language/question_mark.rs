use swathe::prelude::*;

#[kernel]
fn checked(x: &mut Field<i32>) {
    for i in x.indices() {
        x[i] = x[i].checked_add(1)?;
    }
}

fn main() {}
