#![deny(deprecated)]

use swathe::prelude::*;

#[deprecated]
#[func]
fn old(x: f32) -> f32 {
    x
}

#[derive(Element, Clone, Copy)]
#[deprecated]
struct Old {
    #[deprecated]
    a: f32,
}

#[allow(deprecated)]
#[func]
impl Old {
    #[deprecated]
    fn get(self) -> f32 {
        self.a
    }
}

#[kernel]
fn told(x: &mut Field<f32>) {
    for i in x.indices() {
        x[i] = old(x[i]);
    }
}

#[kernel]
#[allow(deprecated)]
fn allowed(x: &mut Field<f32>, y: &Field<Old>) {
    for i in x.indices() {
        x[i] = old(x[i]) + y[i].get();
    }
}

fn main() {}
