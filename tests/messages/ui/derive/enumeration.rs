//! Enums that are no elements: each with one message.

use swathe::prelude::*;

#[derive(Element, Clone, Copy, PartialEq)]
enum Data {
    Fluid,
    Solid(f32),
}

#[derive(Element, Clone, Copy, PartialEq)]
enum Named {
    Fluid { density: f32 },
    Solid,
}

#[derive(Element, Clone, Copy, PartialEq)]
enum Braces {
    Fluid,
    Solid(),
}

#[derive(Element, Clone, Copy, PartialEq)]
enum Generic<const N: usize> {
    Fluid,
    Solid,
}

#[derive(Element, Clone, Copy, PartialEq)]
enum Never {}

#[derive(Element, Clone, Copy, PartialEq)]
#[repr(u8, align(4))]
enum Aligned {
    Fluid,
    Solid,
}

#[derive(Element, Clone, Copy, Default)]
#[element(PartialEq, Default)]
enum Asked {
    #[default]
    Fluid,
    Solid,
}

fn main() {}
