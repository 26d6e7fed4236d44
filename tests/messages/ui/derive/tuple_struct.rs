use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Meters(f32);

fn main() {}
