use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
#[swathe_tests_messages_macros::packs]
struct Packed {
    small: u8,
    x: f64,
}

/// One member alone is where it is aligned, and the struct is not.
#[derive(Element, Clone, Copy)]
#[swathe_tests_messages_macros::packs]
struct One {
    x: f64,
}

fn main() {}
