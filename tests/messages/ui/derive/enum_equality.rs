//! `==` of an enum is that of the standard library, on all devices.

use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
enum Without {
    Fluid,
    Solid,
}

#[derive(Element, Clone, Copy)]
enum ByHand {
    Fluid,
    Solid,
}

impl PartialEq for ByHand {
    fn eq(&self, _: &ByHand) -> bool {
        true
    }
}

fn main() {}
