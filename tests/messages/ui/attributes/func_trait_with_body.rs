use swathe::prelude::*;

#[func]
trait Shape {
    fn area(self) -> f32;

    fn twice(self) -> f32 {
        2.0
    }
}

fn main() {}
