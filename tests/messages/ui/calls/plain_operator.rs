use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Complex {
    re: f32,
    im: f32,
}

impl std::ops::Add for Complex {
    type Output = Complex;

    fn add(self, other: Complex) -> Complex {
        Complex { re: self.re + other.re, im: self.im + other.im }
    }
}

#[kernel]
fn double(z: &mut Field<Complex>) {
    for i in z.indices() {
        z[i] = z[i] + z[i];
    }
}

fn main() {}
