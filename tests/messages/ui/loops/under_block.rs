use swathe::prelude::*;

#[kernel]
fn relax(x: &mut Field<f32>) {
    {
        for i in x.indices() {
            x[i] *= 0.5;
        }
    }
    let n = {
        for i in x.indices() {
            x[i] *= 0.5;
        }
        3
    };
}

fn main() {}
