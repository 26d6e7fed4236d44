use swathe::prelude::*;

#[kernel]
fn first(x: &mut Field<f32>) {
    for i in x.indices() {
        let v = Some(x[i]);
        x[i] = v.unwrap_or(0.0);
    }
}

fn main() {}
