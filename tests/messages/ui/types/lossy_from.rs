use swathe::prelude::*;

#[kernel]
fn converted(x: &Field<i64>, y: &Field<Vec2>, out: &mut Field<f32>) {
    for i in out.indices() {
        out[i] = f32::from(x[i]);
        out[i] += f32::from(y[i]);
    }
}

fn main() {}
