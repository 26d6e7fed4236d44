use swathe::prelude::*;

#[kernel]
fn wait(x: &mut Field<f32>) {
    let later = async { 1.0 };
    let now = later.await;
    for i in x.indices() {
        x[i] = now;
    }
}

fn main() {}
