use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
#[element(Differentiable, Default)]
struct Body {
    at: f64,
    mass: f64,
}

#[kernel(grad)]
fn kernel(b: &Field<Body>, y: &mut Field<f64>) {
    for i in b.indices() {
        let mut sum = 0.0;
        let me = b[i];
        for j in 0..b.len() {
            let other = b[j];
            sum += other.mass * (me.at - other.at);
        }
        y[i] = sum;
    }
}

fn main() {}
