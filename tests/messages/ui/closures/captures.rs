use swathe::prelude::*;

#[func]
fn parameters(a: &mut f32, b: f32) -> f32 {
    let f = |x: f32| x + *a;
    f(b)
}

#[kernel]
fn changed(x: &mut Field<f32>, y: &Field<f32>) {
    for i in x.indices() {
        let mut a = y[i];
        let later;
        let f = |v: f32| v + a;
        let g = |v: f32| v + later;
        let h = |k: usize| x[k];
        let n = |k: usize| k < x.len();
        let set = |v: f32| x[i] = v;
        a += 1.0;
        later = 2.0;
        set(f(1.0) + g(2.0) + h(i));
        if n(i) {
            x[i] += a;
        }
    }
}

#[kernel]
fn accumulated(x: &Field<f32>) -> f32 {
    let mut sum = 0.0;
    let add = |v: f32| sum += v;
    for i in x.indices() {
        add(x[i]);
    }
    sum
}

#[kernel]
fn unsafely(x: &Field<f32>, y: &mut Field<f32>) {
    let f = |i: usize| x.get_unchecked(i);
    for i in y.indices() {
        y[i] = unsafe { f(i) };
    }
}

fn main() {}
