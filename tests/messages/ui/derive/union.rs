use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
union Bits {
    f: f32,
    u: u32,
}

fn main() {}
