use swathe::prelude::*;

#[kernel]
fn all(x: &mut Field<f32>, scale: f32) {
    for i in x.indices() {
        x[i] = x[i] * scael;
    }
}

#[kernel]
fn with_item(x: &mut Field<f32>) {
    const half: f32 = 0.5;
    for i in x.indices() {
        x[i] = x[i] * half;
    }
}

mod constants {
    pub const half: f32 = 0.5;
}

#[kernel]
fn with_use(x: &mut Field<f32>) {
    use constants::half as q;
    for i in x.indices() {
        x[i] = x[i] * q;
    }
}

fn main() {}
