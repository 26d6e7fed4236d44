use swathe::prelude::*;

/// Never equal.
#[derive(Element, Clone, Copy)]
struct Odd(i32);

impl PartialEq for Odd {
    fn eq(&self, _: &Odd) -> bool {
        false
    }
}

impl Default for Odd {
    fn default() -> Odd {
        Odd(3)
    }
}

#[derive(Element, Clone, Copy, PartialEq, Default)]
struct Plain {
    x: i32,
}

#[derive(Element, Clone, Copy)]
#[element(PartialEq, Default)]
struct Of(i32, Odd);

#[derive(Element, Clone, Copy, PartialEq)]
#[element(PartialEq)]
struct Twice(i32);

#[kernel]
fn odd(x: &Field<Odd>, y: &mut Field<i32>) {
    for i in y.indices() {
        y[i] = (x[i] == Odd(3)) as i32 + Odd::default().0;
    }
}

#[kernel]
fn plain(x: &Field<Plain>, y: &mut Field<i32>) {
    for i in y.indices() {
        y[i] = (x[i] == Plain { x: 3 }) as i32 + Plain::default().x;
    }
}

#[kernel]
fn arrays(x: &Field<[Plain; 2]>, y: &mut Field<i32>) {
    for i in y.indices() {
        y[i] = (x[i] == x[0]) as i32;
    }
}

fn main() {}
