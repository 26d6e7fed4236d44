use swathe::prelude::*;

#[kernel]
fn checked(x: &mut Field<i32>) {
    for i in x.indices() {
        if x[i] > 0 && let Some(v) = x[i].checked_add(1) {
            x[i] = v;
        }
    }
}

fn main() {}
