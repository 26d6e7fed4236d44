use swathe::prelude::*;

#[kernel]
fn first(u: &Field<i64>) -> i64 {
    let start = u.origin()[0];
    start as i64
}

fn main() {}
