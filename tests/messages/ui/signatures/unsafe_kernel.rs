use swathe::prelude::*;

/// # Safety
/// `k` is below the length of `x`.
#[kernel]
unsafe fn pick(x: &Field<f32>, k: usize, out: &mut Field<f32>) {
    for i in out.indices() {
        // SAFETY: by the caller's word.
        out[i] = unsafe { *x.get_unchecked(k) };
    }
}

/// # Safety
/// `x` is above zero.
#[func]
unsafe fn trusted(x: f32) -> f32 {
    1.0 / x
}

#[kernel]
fn calls(x: &mut Field<f32>) {
    for i in x.indices() {
        x[i] = trusted(x[i]);
    }
}

fn launch(x: &Field<f32>, out: &mut Field<f32>) {
    pick(x, 0, out).unwrap();
}

fn main() {}
