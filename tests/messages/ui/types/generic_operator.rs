use swathe::prelude::*;

#[kernel]
fn add<T: Element>(x: &Field<T>, y: &mut Field<T>) {
    for i in y.indices() {
        y[i] = x[i] + y[i];
    }
}

fn main() {}
