//! What rustc knows of an enum, and the derive asks.

use swathe::prelude::*;
use swathe_tests_messages_macros::replaced;

#[derive(Element, Clone, Copy, PartialEq)]
enum WithoutZero {
    Fluid = 1,
    Solid,
}

/// Of no size.
#[derive(Element, Clone, Copy, PartialEq)]
enum Single {
    Only,
}

#[derive(Element, Clone, Copy, PartialEq)]
#[repr(u128)]
enum Large {
    Fluid,
    Solid,
}

/// Another attribute adds a value.
#[derive(Element)]
#[replaced(#[derive(Clone, Copy, PartialEq)] enum More { Fluid, Solid, Hidden })]
enum More {
    Fluid,
    Solid,
}

/// Or makes it another item.
#[derive(Element)]
#[replaced(#[derive(Clone, Copy, PartialEq)] struct Other(bool); impl Other { const FALSE: Other = Other(false); const TRUE: Other = Other(true); })]
enum Other {
    FALSE,
    TRUE,
}

fn main() {}
