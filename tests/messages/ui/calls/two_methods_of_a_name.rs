use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Disc {
    r: f32,
}

trait Round {
    fn area(&self) -> f32;
}

trait Flat {
    fn area(&self) -> f32;
}

#[func]
impl Round for Disc {
    fn area(&self) -> f32 {
        self.r * self.r
    }
}

#[func]
impl Flat for Disc {
    fn area(&self) -> f32 {
        self.r * 2.0
    }
}

fn main() {}
