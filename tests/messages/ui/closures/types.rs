use swathe::prelude::*;

#[kernel]
fn mistyped(x: &mut Field<f32>) {
    let f = |v: f32| v * 2.0;
    let whole = |v: i32| -> i32 { v * 2.0 };
    let rounded = |v: f32| v.rounded();
    for i in x.indices() {
        x[i] = f(1u32) + whole(1) as f32 + rounded(2.0);
    }
}

/// What it gives nothing tells.
#[func]
fn zero<T: Float>() -> T {
    T::ZERO
}

#[kernel]
fn open(x: &mut Field<f32>) {
    let f = |_: u8| zero();
    for i in x.indices() {
        let _ = f(1);
    }
}

fn main() {}
