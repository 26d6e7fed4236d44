use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct P {
    x: f32,
}

#[func(grad)]
impl P {
    fn twice(self) -> f32 {
        2.0 * self.x
    }
}

fn main() {}
