use swathe::prelude::*;

#[kernel]
fn many(x: &mut Field<f32>) {
    let f = |v: f32| v + 1.0;
    let g = |v: f32| f(v) + f(v) + f(v) + f(v) + f(v) + f(v) + f(v) + f(v) + f(v) + f(v) + f(v) + f(v) + f(v) + f(v) + f(v) + f(v) + f(v) + f(v) + f(v) + f(v) + f(v) + f(v) + f(v) + f(v) + f(v);
    for i in x.indices() {
        x[i] = g(1.0) + g(1.0) + g(1.0) + g(1.0) + g(1.0) + g(1.0) + g(1.0) + g(1.0) + g(1.0) + g(1.0) + g(1.0) + g(1.0) + g(1.0) + g(1.0) + g(1.0) + g(1.0) + g(1.0) + g(1.0) + g(1.0) + g(1.0);
    }
}

fn main() {}
