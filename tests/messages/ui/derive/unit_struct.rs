use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Nothing;

fn main() {}
