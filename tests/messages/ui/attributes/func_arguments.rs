use swathe::prelude::*;

#[func(inline)]
fn two() -> f32 {
    2.0
}

fn main() {}
