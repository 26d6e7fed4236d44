use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Point {
    x: f32,
}

#[kernel]
fn move_all(p: &mut Field<Point>, by: &Point) {
    for i in p.indices() {
        p[i].x += 1.0;
    }
}

#[kernel]
fn clear(x: &mut Field<f32>) {
    for i in x.indices() {
        x[i] = 0.0;
    }
}

fn main() -> swathe::Result<()> {
    clear(&mut vec![1.0_f32, 2.0])
}
