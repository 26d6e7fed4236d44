use swathe::prelude::*;

#[kernel]
fn odd(x: &mut Field<f32>) {
    for i in 0..x.len() as i32 {
        x[(i + 1) as usize] = 1.0;
    }
}

fn main() {}
