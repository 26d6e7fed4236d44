use swathe::prelude::*;

#[kernel(grad)]
fn kernel(x: &Field<f32>, to: &Field<u32>, y: &mut Field<f32>) {
    for i in x.indices() {
        // SAFETY: the entries of `to` are all different and below the length.
        unsafe { y[to[i] as usize] = x[i] };
    }
}

fn main() {}
