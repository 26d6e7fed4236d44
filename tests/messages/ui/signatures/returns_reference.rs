use swathe::prelude::*;

#[func]
fn larger(a: &f32, b: &f32) -> &f32 {
    if *a > *b { a } else { b }
}

fn main() {}
