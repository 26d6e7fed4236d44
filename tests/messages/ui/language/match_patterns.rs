use swathe::prelude::*;

#[kernel]
fn classify(x: &Field<f32>, n: &Field<u32>, out: &mut Field<u32>) {
    for i in out.indices() {
        out[i] = match x[i] {
            0.0 => 0,
            _ => 1,
        };
        out[i] = match (n[i], out[i]) {
            both @ (0, _) => both.1,
            _ => 10,
        };
        out[i] = match [n[i], out[i]] {
            [0, _] => 1,
            [_, ..] => 2,
        };
    }
}

fn main() {}
