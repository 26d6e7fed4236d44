use swathe::prelude::*;

#[derive(Clone, Copy)]
struct Meters(f32);

#[derive(Element, Clone, Copy)]
struct Pair(i32, i32);

#[func]
#[allow(non_snake_case)]
fn Twice(x: i32) -> i32 {
    2 * x
}

#[kernel]
fn walk(x: &mut Field<f32>) {
    for i in x.indices() {
        let m = Meters(x[i]);
        x[i] = m.0;
    }
}

#[kernel]
fn double(x: &mut Field<i32>) {
    for i in x.indices() {
        x[i] = Twice(x[i]);
    }
}

#[kernel]
fn unknown(x: &mut Field<i32>) {
    for i in x.indices() {
        x[i] = Feet(x[i]).0;
    }
}

#[kernel]
fn members(x: &mut Field<Pair>) {
    for i in x.indices() {
        x[i] = Pair(1);
        let Pair(a) = x[i];
        x[i].2 = a;
    }
}

fn main() {}
