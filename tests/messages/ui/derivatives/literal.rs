use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Cell {
    level: f32,
}

#[kernel(grad)]
fn kernel(x: &Field<f32>, cells: &mut Field<Cell>, y: &mut Field<f32>) {
    for i in y.indices() {
        let c = 0.1;
        cells[i].level = c;
        y[i] = if c + 0.2 > 0.3 { x[i] } else { 2.0 * x[i] };
    }
}

fn main() {}
