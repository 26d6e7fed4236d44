//! Closures that kernels and functions declare and call.

use swathe::prelude::*;

use super::support::{SIZES, ended, same, sources};

#[derive(Clone, Copy, Debug, Default, PartialEq, Element)]
struct Line {
    slope: f32,
    start: f32,
}

#[func]
impl Line {
    fn at_both(&self, x: f32, y: f32) -> f32 {
        let at = |x: f32| self.slope * x + self.start;
        at(x) - 2.0 * at(y)
    }
}

/// The same text for kernels and for the host.
macro_rules! both {
    ($(fn $func:ident, $plain:ident($($args:tt)*) -> $ret:ty $body:block)*) => {$(
        #[func]
        fn $func($($args)*) -> $ret $body

        fn $plain($($args)*) -> $ret $body
    )*};
}

both! {
    // Names that mean one thing where a closure is written and another where it is called.
    fn shadowed, plain_shadowed(x: i32) -> [i32; 6] {
        let a = 3;
        let f = |x: i32| x * a + 1;
        let g = |a: i32, k: i32| {
            let x = f(a) - k;
            let f = x * 2;
            f + x
        };
        let a = 100;
        let f = |x: i32| f(x) + a + x;
        let k = 7;
        let first = g(k, a);
        let x = f(x + k);
        let second = {
            let a = x;
            let x = g(a, k);
            x - g(x, a)
        };
        let twice = |[p, q]: [i32; 2], (r, s): (i32, u8)| (p - q) * r + s as i32;
        let third = twice([a, x], (k, 5)) + twice([x, a], (k, twice([1, 2], (3, 4)) as u8));
        let mut many = 0;
        for a in 0..4 {
            let step = |k: i32| k * a + x;
            many = many * 3 + step(many);
        }
        [first, x, second, third, many, f(a)]
    }

    // The type of what a closure gives is written, or follows from what it is made of.
    fn of_types, plain_of_types(x: u8, y: f64) -> [f64; 4] {
        let three = || -> u8 { 253 };
        let more = |mut k: u8| {
            k = k.wrapping_mul(3);
            while k > 100 {
                k -= 7;
            }
            k
        };
        let inside = |v: f64| -> bool { v > y && v < 10.0 };
        let shifted = |k: u8| -> u64 { 1 << (k & 31) };
        let half = move |v: f64| 0.5 * v;
        [
            more(x).wrapping_add(three()) as f64,
            half(half(y)) - half(1.0),
            shifted(x) as f64,
            inside(y + 1.0) as u8 as f64,
        ]
    }

    // One type for all calls, which one of them tells.
    fn inferred, plain_inferred(x: i32) -> [i32; 9] {
        let base = 5;
        let pair = |k: i32| (k, 200);
        let c: u8 = pair(x).1;
        let d = pair(x).1;
        let list = |k: i32| [100, 100 + 27, if k > 5 { 1 } else { 2 }];
        let first: i8 = list(x)[0];
        let items = list(x);
        let line = |k: i32| match k & 1 {
            0 => 60_000,
            _ => 50_000,
        };
        let e = line(x);
        let f: u16 = line(x + 1);
        let negated = |_: i32| !55;
        let g: u16 = negated(x);
        let shifted = |k: u32| 1 << k;
        let h = shifted(7);
        let i: u8 = shifted(6);
        let broken = |k: i32| {
            let mut n = 0;
            loop {
                n += 1;
                if n > k {
                    break 200;
                }
            }
        };
        let j = broken(3);
        let k: u8 = broken(2);
        let outer = |k: i32| {
            let inner = |j: i32| (j, 40_000);
            let z = inner(k);
            inner(k).1 - z.1 / 50
        };
        let l = outer(x);
        let m: u16 = outer(x);
        let wide = |_: i32| 5_000_000_000i64;
        let sum = |k: i32| {
            let r = 5_000_000_000i64;
            r + 1 + i64::from(k)
        };
        let chosen = |k: i32| if k > 3 { 1i64 } else { 2i64 };
        let n = wide(x) / 7 + sum(x) / 9 + chosen(x);
        let taken = |k: u8| k + base;
        [
            c.wrapping_add(100) as i32 + d.wrapping_add(100) as i32,
            first as i32 + items[1].wrapping_add(items[2]) as i32,
            e.wrapping_mul(3) as i32 + f as i32,
            g as i32 + negated(2).wrapping_add(77) as i32,
            h.wrapping_mul(3) as i32 + i as i32,
            j.wrapping_mul(2) as i32 + k as i32,
            l.wrapping_mul(2) as i32 + m as i32,
            n as i32,
            taken(250) as i32,
        ]
    }

    // Operands and arguments come from left to right.
    fn ordered, plain_ordered(x: i32) -> i32 {
        let mut n = x;
        let fold = |a: i32, b: i32, c: i32| a * 100 + b * 10 + c;
        let first = fold(n, { n += 1; n }, { n += 2; n });
        n + fold({ n *= 2; n }, n, first) + n
    }
}

#[kernel]
fn called(
    x: &Field<i32>,
    out: &mut Field<[i32; 6]>,
    more: &mut Field<[f64; 4]>,
    types: &mut Field<[i32; 9]>,
    orders: &mut Field<i32>,
) {
    for i in out.indices() {
        types[i] = inferred(x[i]);
        out[i] = shadowed(x[i]);
        more[i] = of_types((x[i] & 255) as u8, x[i] as f64 * 0.25);
        orders[i] = ordered(x[i]);
    }
}

/// A closure whose type a call in the loop tells, called around the loop, too.
#[kernel]
fn told_inside(x: &Field<i32>, out: &mut Field<i32>) {
    let pair = |k: i32| (k, 200);
    let before = pair(3).1;
    for i in out.indices() {
        let byte: u8 = pair(x[i]).1;
        out[i] = byte.wrapping_add(before) as i32 + pair(x[i]).0;
    }
}

/// Closures around a parallel loop and in it, fields among what they read, in accesses, conditions and sums.
#[kernel]
fn smoothed(u: &Field<f32>, table: &Field<u32>, line: Line, y: &mut Field<f32>, scale: f32) -> f32 {
    let n = u.len();
    let twice = 2.0 * scale;
    let weighted = |v: f32| v * twice + line.start;
    let around = |i: usize, by: usize| u[(i + by) % n];
    let mut sum = 0.0f32;
    for i in y.indices() {
        let here = around(i, 0);
        let difference = |by: usize| around(i, by) - here;
        let looked = |k: usize| u[table[k] as usize];
        y[i] = weighted(difference(1)) + difference(2) + looked(i) + line.at_both(here, 0.5);
        let large = |v: f32| v > 20.0 && v < 90.0;
        if large(here) {
            sum += weighted(here);
        }
    }
    sum
}

/// A closure whose access fails where it is called, and one with a claim.
#[kernel]
fn failing(u: &Field<i32>, from: &Field<u32>, out: &mut Field<i32>) {
    let taken = |k: u32| u[k as usize];
    for i in out.indices() {
        let checked = |v: i32| {
            assert!(v != 13, "{v} is unlucky");
            v * 2
        };
        out[i] = checked(taken(from[i]));
    }
}

/// Closures of which the second call fails with less than the first one: each is one place of the text.
#[kernel]
fn failing_twice(u: &Field<i32>, out: &mut Field<i32>) {
    let at = |k: usize| u[k];
    for i in out.indices() {
        out[i] = at(if i == 4 { 30 } else { i }) + at(if i == 9 { 20 } else { 3 });
    }
}

#[kernel]
fn claimed_twice(out: &mut Field<i32>) {
    let claimed = |v: usize| {
        assert!(v < 17, "{v} is too much");
        v as i32
    };
    for i in out.indices() {
        out[i] = claimed(if i == 4 { 30 } else { i }) + claimed(if i == 9 { 20 } else { 3 });
    }
}

/// Closures in what is added to an item of an element and stored in one, and in the item's index.
#[kernel]
fn placed(x: &Field<i32>, sums: &mut Field<[i32; 3]>, out: &mut Field<[i32; 2]>) {
    let threes = |v: i32| v * 3;
    let odd = |k: usize| k & 1;
    for i in x.indices() {
        sums[0][odd(i) + odd(i / 2)].atomic_add(threes(threes(x[i])));
        out[i][odd(i)] = threes(x[i] + threes(1));
        out[i][odd(i + 1)] += threes(2);
    }
}

fn check_placed(device: &Device, n: usize, x: impl Fn(usize) -> i32) {
    let xs = Field::from_fn(device, n, |[i]| x(i)).unwrap();
    let mut sums = Field::full(device, 1, [1, 2, 3]).unwrap();
    let mut out = Field::full(device, n, [5; 2]).unwrap();
    ended(device, placed(&xs, &mut sums, &mut out)).unwrap();
    let sum = |k: usize| {
        (0..n)
            .filter(|i| (i & 1) + (i >> 1 & 1) == k)
            .map(|i| 9 * x(i))
            .sum::<i32>()
    };
    same("sums", &sums, vec![[1 + sum(0), 2 + sum(1), 3 + sum(2)]]);
    let both = |i: usize| {
        if i % 2 == 0 {
            [3 * x(i) + 9, 11]
        } else {
            [11, 3 * x(i) + 9]
        }
    };
    same("placed", &out, (0..n).map(both).collect());
}

fn check_smoothed(device: &Device, n: usize) {
    let value = |i: usize| ((i * 31) % 97) as f32;
    let entry = |i: usize| ((i * 7 + 3) % n) as u32;
    let u = Field::from_fn(device, n, |[i]| value(i)).unwrap();
    let table = Field::from_fn(device, n, |[i]| entry(i)).unwrap();
    let mut y = Field::zeros(device, n).unwrap();
    let line = Line { slope: 0.5, start: 4.0 };
    let sum = ended(device, smoothed(&u, &table, line, &mut y, 1.5)).unwrap();
    // All numbers are quarters, of which sums are exact.
    let expected = (0..n).map(|i| {
        let here = value(i);
        let at = |x: f32| 0.5 * x + 4.0;
        (value((i + 1) % n) - here) * 3.0 + 4.0 + value((i + 2) % n) - here + value(entry(i) as usize) + at(here) - 8.5
    });
    same("smoothed", &y, expected.collect());
    let all = (0..n).map(value).filter(|v| *v > 20.0 && *v < 90.0);
    assert_eq!(sum, all.map(|v| v * 3.0 + 4.0).sum::<f32>());
}

fn check_failing(device: &Device) {
    let u = Field::from_fn(device, 17, |[i]| i as i32 + 5).unwrap();
    let from = Field::from_fn(device, 20, |[i]| i as u32).unwrap();
    let mut out = Field::zeros(device, 20).unwrap();
    match ended(device, failing(&u, &from, &mut out)).unwrap_err() {
        // Of all failures, the one with the claim among them.
        Error::OutOfBounds {
            field, index, count, ..
        } => {
            assert_eq!((field, &*index, count), ("u", &[17][..], 4));
        }
        other => panic!("{other}"),
    }
    let expected = (0..20).map(|i| if i == 8 || i > 16 { 0 } else { 2 * (i + 5) });
    same("failing", &out, expected.collect());
    let mut out = Field::zeros(device, 16).unwrap();
    match ended(device, failing(&u, &from, &mut out)).unwrap_err() {
        Error::KernelFailure { message, count, .. } => assert_eq!((&*message, count), ("13 is unlucky", 1)),
        other => panic!("{other}"),
    }
}

fn check_failing_twice(device: &Device) {
    let u = Field::from_fn(device, 17, |[i]| i as i32).unwrap();
    let mut out = Field::zeros(device, 17).unwrap();
    match ended(device, failing_twice(&u, &mut out)).unwrap_err() {
        Error::OutOfBounds { index, count, .. } => assert_eq!((&*index, count), (&[20][..], 2)),
        other => panic!("{other}"),
    }
    let mut out = Field::zeros(device, 17).unwrap();
    match ended(device, claimed_twice(&mut out)).unwrap_err() {
        Error::KernelFailure { message, count, .. } => assert_eq!((&*message, count), ("20 is too much", 2)),
        other => panic!("{other}"),
    }
}

pub fn check(device: &Device) {
    for n in SIZES {
        let x = |i: usize| (i as i32 * 37) % 301 - 50;
        let xs = Field::from_fn(device, n, |[i]| x(i)).unwrap();
        let mut out = Field::full(device, n, [0; 6]).unwrap();
        let mut more = Field::full(device, n, [0.0; 4]).unwrap();
        let mut orders = Field::zeros(device, n).unwrap();
        let mut types = Field::full(device, n, [0; 9]).unwrap();
        ended(device, called(&xs, &mut out, &mut more, &mut types, &mut orders)).unwrap();
        same("inferred", &types, (0..n).map(|i| plain_inferred(x(i))).collect());
        ended(device, told_inside(&xs, &mut orders)).unwrap();
        same("told_inside", &orders, (0..n).map(|i| 144 + x(i)).collect());
        ended(device, called(&xs, &mut out, &mut more, &mut types, &mut orders)).unwrap();
        same("shadowed", &out, (0..n).map(|i| plain_shadowed(x(i))).collect());
        let types = (0..n).map(|i| plain_of_types((x(i) & 255) as u8, f64::from(x(i)) * 0.25));
        same("of_types", &more, types.collect());
        same("ordered", &orders, (0..n).map(|i| plain_ordered(x(i))).collect());
        check_placed(device, n, x);
        if n > 0 {
            check_smoothed(device, n);
        }
    }
    check_failing(device);
    check_failing_twice(device);
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        called,
        told_inside,
        placed,
        smoothed,
        failing,
        failing_twice,
        claimed_twice
    ]
}
