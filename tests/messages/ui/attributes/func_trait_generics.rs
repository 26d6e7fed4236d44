use swathe::math::Float;
use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Hooke {
    stiffness: f32,
}

trait Force<T> {
    fn at(self, x: T) -> T;
}

#[func]
impl<T: Float> Force<T> for Hooke {
    fn at(self, x: T) -> T {
        x * T::from_f32(self.stiffness)
    }
}

fn main() {}
