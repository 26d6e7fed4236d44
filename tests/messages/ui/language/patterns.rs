use swathe::prelude::*;

#[derive(Element, Clone, Copy)]
struct Pair {
    a: i32,
    b: i32,
}

#[func]
fn numbers(p: Pair) -> i32 {
    let mut sum = 0;
    for Pair { a, b } in 0..3 {
        sum += p.a + a + b;
    }
    sum
}

#[func]
fn twice(p: Pair) -> i32 {
    let (x, x) = (p.a, p.b);
    let Pair { a: y, b: y } = p;
    match (p.a, x) {
        (n, n) => n + y,
    }
}

#[func]
fn items(list: &[i32; 3]) -> i32 {
    let mut sum = 0;
    for item in list {
        sum += item;
    }
    sum
}

#[func]
fn parts(p: &Pair) -> i32 {
    let Pair { a, b } = p;
    a + b
}

#[func]
trait Least: Element {
    fn least(self) -> i32;
}

#[func]
impl Least for [i32; 2] {
    fn least(self) -> i32 {
        self[0].min(self[1])
    }
}

fn main() {}
