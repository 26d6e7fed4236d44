use swathe::prelude::*;

#[kernel]
fn odd(x: &mut Field<f32>) {
    for i in 0..x.len() as u32 {
        x[(2 * i) as usize] = 1.0;
    }
}

fn main() {}
