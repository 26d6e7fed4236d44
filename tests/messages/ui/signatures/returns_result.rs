use swathe::prelude::*;

#[kernel]
fn fill(x: &mut Field<f32>) -> swathe::Result<()> {
    for i in x.indices() {
        x[i] = 1.0;
    }
    Ok(())
}

fn main() {}
