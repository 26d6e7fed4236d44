use swathe::prelude::*;

#[func]
fn applied(v: f32) -> f32 {
    v
}

#[kernel]
fn signatures(x: &mut Field<f32>) {
    for i in x.indices() {
        let untyped = |v| v + 1.0;
        let open = |v: [_; 2]| v[0] + 1.0;
        let lent = |v: &f32| *v;
        let twice = |v: f32, v: f32| v;
        let (a, b) = (|v: f32| v, 1.0);
        x[i] = untyped(1.0) + open([1.0, 2.0]) + lent(&1.0) + twice(1.0, 2.0) + b;
    }
}

#[kernel]
fn calls(x: &mut Field<f32>) {
    for i in x.indices() {
        let f = |v: f32| v * 2.0;
        let early = |v: f32| {
            if v > 1.0 {
                return 1.0;
            }
            v
        };
        let left = |v: f32| {
            if v > 1.0 {
                continue;
            }
            v
        };
        let copy = f;
        x[i] = f(1.0, 2.0) + early(x[i]) + left(1.0) + applied(f);
        x[i] = x[i].max((|v: f32| v)(1.0));
    }
}

#[kernel]
fn uncalled(x: &mut Field<f32>) {
    let f = |v: f32| v * nothing();
    for i in x.indices() {
        x[i] = 1.0;
    }
}

#[kernel]
fn of_no_function(x: &mut Field<f32>) {
    for i in x.indices() {
        let f = 2.0;
        x[i] = f(1.0);
    }
}

#[kernel]
fn shadowed(x: &Field<f32>, out: &mut Field<f32>) {
    for i in out.indices() {
        let x = |k: f32| k + 1.0;
        out[i] = x(x[i]);
    }
}

fn main() {}
