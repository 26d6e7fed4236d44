use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Cell {
    a: f32,
}

#[kernel]
fn structs(x: &mut Field<Cell>) {
    for i in x.indices() {
        assert!(x[i].a > 0.0, "{:?}", x[i]);
    }
}

#[kernel]
fn hexadecimal(x: &mut Field<f32>) {
    for i in x.indices() {
        assert!(x[i] > 0.0, "{:x}", x[i]);
    }
}

#[kernel]
fn no_condition(x: &mut Field<i32>) {
    for i in x.indices() {
        assert!(x[i]);
    }
}

#[kernel]
fn no_comparison(x: &mut Field<i32>, y: f32) {
    for i in x.indices() {
        assert_eq!(x[i], y);
    }
}

fn main() {}
