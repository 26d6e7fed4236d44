//! Another attribute may write another item in the place of the struct: a union's members share their bytes.

use swathe::prelude::*;
use swathe_tests_messages_macros::replaced;

#[derive(Element)]
#[replaced(#[derive(Clone, Copy)] union One { a: u32, hidden: u32 })]
struct One {
    a: u32,
}

#[derive(Element)]
#[replaced(#[derive(Clone, Copy)] union Alone { a: u32 })]
struct Alone {
    a: u32,
}

#[derive(Element)]
#[replaced(#[derive(Clone, Copy)] union Generic<T: Copy> { a: T, hidden: u64 })]
struct Generic<T> {
    a: T,
}

#[derive(Element)]
#[replaced(#[derive(Clone, Copy)] union Named { a: u32, hidden: u32 } type ByName = Named;)]
struct ByName {
    a: u32,
}

fn main() {}
