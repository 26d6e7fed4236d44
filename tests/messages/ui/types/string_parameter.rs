use swathe::prelude::*;

#[func]
fn length(s: String) -> usize {
    s.len()
}

fn main() {}
