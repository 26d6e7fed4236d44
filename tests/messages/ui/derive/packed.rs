//! A member view of a packed struct would hand out places that are not aligned.
use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
#[repr(C, packed)]
struct Packed {
    tag: u8,
    value: f32,
}

fn main() {}
