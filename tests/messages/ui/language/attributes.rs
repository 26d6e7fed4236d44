#![deny(warnings)]

use swathe::prelude::*;

#[kernel]
fn parts(x: &mut Field<f32>) {
    for i in x.indices() {
        let a = #[allow(unused)] 3.0;
        let b = { #![allow(unused)] a };
        #[allow(unused)] x[i] = b;
        #[cfg(test)]
        let c = 3;
    }
}

// What stands above one statement says nothing of the next.
#[kernel]
fn next(x: &mut Field<f32>) {
    for i in x.indices() {
        #[allow(unused_variables)]
        let a = 1;
        let b = 2;
        x[i] = 3.0;
    }
}

fn main() {}
