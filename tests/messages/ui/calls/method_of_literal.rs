use swathe::prelude::*;

// Of whatever type of numbers the variable is, it has no such method.
#[kernel]
fn taken(x: &mut Field<i32>, y: &mut Field<f32>) {
    for i in x.indices() {
        let mut w = 0;
        w += 1;
        x[i] = w.get() + (w + 2).sqrt();
        let z = -1.5;
        y[i] = z.isqrt() + z.sqrt() + 2.0.abs();
    }
}

#[func]
fn next(x: i32) -> i32 {
    let w = if x > 0 { 1 } else { 2 };
    w.get() + w.pow(2)
}

fn main() {}
