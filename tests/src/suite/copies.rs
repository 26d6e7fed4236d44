//! What is a copy of a place, and what is the place: blocks that hold a place alone, and methods that change what they are called on.
#![allow(unused_braces, unused_mut, clippy::double_parens)]

use swathe::prelude::*;

use super::support::{each, field, same, sources};

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
pub struct Rod {
    x: i32,
    y: i32,
}

#[func]
impl Rod {
    fn grow(&mut self, by: i32) -> i32 {
        self.x += by;
        self.x * 2
    }

    fn div_euclid(&mut self, d: i32) -> i32 {
        self.x += d;
        self.x
    }

    fn rem_euclid(&mut self, d: i32) -> i32 {
        self.y -= d;
        self.y
    }

    fn sin(&mut self) -> i32 {
        self.x += 1;
        self.x
    }

    fn doubled(&mut self) -> i32 {
        let copied = { *self }.grow(3);
        copied + self.div_euclid(2) + self.rem_euclid(3) + self.sin()
    }

    fn r#plain(&self, by: i32) -> i32 {
        self.x - by
    }
}

trait Made {
    type Out;
    fn made(self, more: Self::Out) -> Self::Out;
}

#[func]
impl Made for Rod {
    type Out = i32;
    fn made(self, more: Self::Out) -> Self::Out {
        self.x + more
    }
}

#[func]
impl std::ops::Neg for Rod {
    type Output = Rod;
    fn neg(self) -> Self::Output {
        Rod { x: -self.x, y: self.y }
    }
}

macro_rules! with_self {
    ($s:ident, $e:expr) => {
        #[func]
        impl Rod {
            fn handed(&$s) -> i32 {
                $e + 1
            }
        }
    };
}
with_self!(self, self.y);

#[func]
fn area(area: i32) -> i32 {
    area + 4
}

#[func]
fn grown(r: &mut i32) -> i32 {
    *r += 50;
    *r * 2
}

#[func]
fn grown_position(r: &mut usize) -> usize {
    *r += 100_000_000;
    *r
}

#[func]
fn lent(d: &mut i32, by: i32) -> i32 {
    d.rem_euclid(by) + *d
}

#[kernel]
fn calls(x: &Field<i32>, out: &mut Field<[i32; 12]>) {
    for i in x.indices() {
        let mut r = Rod { x: x[i], y: 7 };
        let mut n = x[i];
        let copies = [
            { r }.grow(1),
            grown(&mut { r.x }),
            grown(&mut { r }.y),
            grown(&mut { n }),
            { { r } }.grow(2),
        ];
        let kept = r.x * 3 + r.y + n;
        let mut changed = r.div_euclid(5) * 2 + r.x;
        changed += r.rem_euclid(2) * 3 + r.y;
        changed += r.sin() * 5 + r.x;
        let doubled = r.doubled();
        out[i] = [
            copies[0],
            copies[1],
            copies[2],
            copies[3],
            copies[4],
            kept,
            changed,
            doubled + r.x,
            r.plain(3) + r.r#plain(1) + x[i].r#abs(),
            r.made(5) + r.handed(),
            area(x[i]) + (-r).x,
            lent(&mut n, 7) + n.rem_euclid(5),
        ];
    }
}

fn in_rust(x: i32) -> [i32; 12] {
    let mut r = Rod { x, y: 7 };
    let mut n = x;
    let copies = [
        { r }.grow(1),
        grown(&mut { r.x }),
        grown(&mut { r }.y),
        grown(&mut { n }),
        { { r } }.grow(2),
    ];
    let kept = r.x * 3 + r.y + n;
    let mut changed = r.div_euclid(5) * 2 + r.x;
    changed += r.rem_euclid(2) * 3 + r.y;
    changed += r.sin() * 5 + r.x;
    let copied = (r.x + 3) * 2;
    r.x += 2;
    r.y -= 3;
    let doubled = copied + r.x + r.y + (r.x + 1);
    r.x += 1;
    [
        copies[0],
        copies[1],
        copies[2],
        copies[3],
        copies[4],
        kept,
        changed,
        doubled + r.x,
        r.x - 3 + (r.x - 1) + x.abs(),
        r.x + 5 + r.y + 1,
        x + 4 - r.x,
        i32::rem_euclid(n, 7) + n + i32::rem_euclid(n, 5),
    ]
}

/// What is lent is a copy, so that iterations do not meet, and the parameter and the position stay.
#[kernel]
fn lends(a: &mut Field<i32>, o: &Field<i32>, m: usize, q: &mut Field<i32>) {
    for i in q.indices() {
        let mut s = grown(&mut { a[0] });
        let z = grown_position(&mut { m }) + grown_position(&mut { i });
        for j in 0..o.len() {
            let y = grown_position(&mut { j });
            s += o[j] * ((y + z) % 3) as i32;
        }
        for j in 0..m {
            s += (j as i32) * o[j % o.len()];
        }
        q[i] = s + grown(&mut { o[1] });
    }
}

fn lends_in_rust(i: usize, o: &[i32], m: usize) -> i32 {
    let z = m + i + 200_000_000;
    let looked: i32 = (0..o.len()).map(|j| o[j] * ((j + 100_000_000 + z) % 3) as i32).sum();
    let counted: i32 = (0..m).map(|j| j as i32 * o[j % o.len()]).sum();
    102 + looked + counted + (o[1] + 50) * 2
}

pub fn check(device: &Device) {
    each!(device, calls, |i| i as i32 * 3 - 20, |_, x| in_rust(x));
    for n in [0, 1, 3, 17, 1000] {
        let (mut a, mut q) = (field(device, &[1; 4]), Field::full(device, n, 7).unwrap());
        let values: Vec<i32> = (0..19).map(|k| k * 5 - 30).collect();
        let o = field(device, &values);
        lends(&mut a, &o, 5, &mut q).unwrap();
        same("lends", &a, vec![1; 4]);
        same("lends", &q, (0..n).map(|i| lends_in_rust(i, &values, 5)).collect());
    }
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![calls, lends]
}
