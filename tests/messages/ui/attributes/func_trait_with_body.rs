use swathe::prelude::*;

#[func]
trait Shape {
    fn area(self) -> f32;

    fn twice(self) -> f32 {
        2.0 * self.area()
    }
}

#[derive(Element, Clone, Copy)]
struct Square {
    side: f32,
}

#[func]
impl Shape for Square {
    fn area(self) -> f32 {
        self.side * self.side
    }
}

#[kernel]
fn areas<T: Shape + Element>(shapes: &Field<T>, squares: &Field<Square>, out: &mut Field<f32>) {
    for i in out.indices() {
        out[i] = shapes[i].area() + shapes[i].twice() + squares[i].twice();
    }
}

fn main() {}
