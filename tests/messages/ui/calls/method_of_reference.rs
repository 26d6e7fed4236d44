use swathe::prelude::*;

trait Length {
    fn long(self) -> f32;
}

#[derive(Element, Clone, Copy)]
struct Rod {
    length: f32,
}

#[func]
impl Length for &Rod {
    fn long(self) -> f32 {
        self.length * 2.0
    }
}

fn main() {}
