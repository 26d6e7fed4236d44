//! What another attribute writes in the place of the struct has all of its members, and no others.

use swathe::prelude::*;
use swathe_tests_messages_macros::replaced;

#[derive(Element)]
#[replaced(#[derive(Clone, Copy)] union Two { a: u32, b: u32 })]
struct Two {
    a: u32,
    b: u32,
}

#[derive(Element)]
#[replaced(#[derive(Clone, Copy)] union Empty { hidden: u32 })]
struct Empty {}

#[derive(Element)]
#[replaced(#[derive(Clone, Copy)] struct More { a: u32, hidden: u32 })]
struct More {
    a: u32,
}

#[derive(Element)]
#[replaced(#[derive(Clone, Copy)] struct Other { a: f32 })]
struct Other {
    a: u32,
}

fn main() {}
