use swathe::prelude::*;

#[kernel]
fn odd(x: &mut Field<f32>) {
    for i in 0..x.len() / 2 {
        for mut a in 0..2 {
            a += 1;
            x[2 * i + a] = 1.0;
        }
    }
}

fn main() {}
