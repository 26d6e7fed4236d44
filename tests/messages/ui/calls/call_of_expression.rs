use swathe::prelude::*;

#[kernel]
fn all(x: &mut Field<f32>) {
    for i in x.indices() {
        x[i] = (if i > 3 { f32::sqrt } else { f32::sin })(x[i]);
    }
}

fn main() {}
