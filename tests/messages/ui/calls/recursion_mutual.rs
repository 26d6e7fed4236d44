use swathe::prelude::*;

#[func]
fn even(n: u32) -> f32 {
    if n == 0 { 1.0 } else { more::odd(n - 1) }
}

mod more {
    use swathe::prelude::*;

    #[func]
    pub fn odd(n: u32) -> f32 {
        use super::third as fourth;
        if n == 0 { 0.0 } else { fourth::<f32, 3>(n) }
    }
}

#[func]
fn third<T: Float, const N: usize>(n: u32) -> f32 {
    even(n - 1)
}

#[func]
fn not_in_it(n: u32) -> f32 {
    even(n) + plain(n)
}

#[func]
fn plain(n: u32) -> f32 {
    n as f32
}

#[kernel]
fn parity(x: &Field<u32>, out: &mut Field<f32>) {
    for i in out.indices() {
        out[i] = even(x[i]) + plain(x[i]) + not_in_it(3);
    }
}

fn main() {}
