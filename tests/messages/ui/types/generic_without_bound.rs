use swathe::prelude::*;

#[kernel]
fn add<T>(x: &Field<T>, y: &mut Field<T>) {
    for i in y.indices() {
        y[i] = x[i];
    }
}

fn main() {}
