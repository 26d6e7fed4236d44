//! Elements that need more alignment than fields have.
use swathe::prelude::*;

#[derive(Clone, Copy, Element)]
#[repr(align(64))]
struct Line {
    count: u32,
}

#[derive(Clone, Copy, Element)]
#[repr(align(128))]
struct TwoLines {
    count: u32,
}

fn main() {
    let _: Option<(Line, TwoLines)> = None;
}
