use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Polar {}

#[func]
impl Polar {
    fn new(r: f32, phi: f32) -> Vec2 {
        Vec2::new(r * phi.cos(), r * phi.sin())
    }
}

#[kernel(grad)]
fn kernel(x: &Field<f32>, y: &mut Field<Vec2>) {
    for i in y.indices() {
        y[i] = Polar::new(x[i], 0.5);
    }
}

fn main() {}
