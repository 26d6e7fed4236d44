// Code that verifies `unsafe` blocks is a third copy of the body: rustc still says everything once.
use swathe::prelude::*;

#[kernel]
fn shifted(x: &mut Field<f32>, v: &Field<Vec3>, out: &mut Field<f32, 2>) {
    for i in x.indices() {
        unsafe { x[i + 1] = v[i] };
        let k: i32 = x[i];
    }
    for [i, j, k] in out.indices() {
        unsafe { out[[i, j]] += 0.5 };
    }
}

fn main() {}
