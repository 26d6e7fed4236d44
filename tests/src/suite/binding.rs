//! `let`: initialised at once or later, patterns, shadowing, blocks as values.

use swathe::prelude::*;

use super::support::{each, scatter, sources};

#[derive(Element, Clone, Copy, Debug, PartialEq, Default)]
struct Pair {
    sum: i32,
    product: i64,
}

#[kernel]
fn plain(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let a = x[i];
        let b: i32 = 3;
        let mut c = a * b;
        c -= 7;
        c = c * 2 + a;
        let unused = 5;
        let _ = unused;
        let _ignored = 1u8;
        out[i] = c;
    }
}

#[kernel]
fn late(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let v;
        if x[i] % 2 == 0 {
            v = x[i] / 2;
        } else {
            v = 3 * x[i] + 1;
        }
        let w: i32;
        w = v - 1;
        let u;
        match x[i].rem_euclid(3) {
            0 => u = 1,
            1 => {
                u = 10;
            }
            _ => u = 100,
        }
        let (a, b);
        a = w;
        b = u;
        let mut total;
        total = a * b;
        total += 1;
        out[i] = total;
    }
}

#[kernel]
fn late_in_nested_branches(x: &Field<i32>, out: &mut Field<i64>) {
    for i in out.indices() {
        let size;
        let sign;
        if x[i] < 0 {
            sign = -1i64;
            if x[i] < -50 {
                size = 3;
            } else {
                size = 2;
            }
        } else if x[i] == 0 {
            sign = 0;
            size = 0u8;
        } else {
            size = 1;
            sign = 1;
        }
        out[i] = sign * size as i64;
    }
}

#[kernel]
fn shadowed(x: &Field<i32>, out: &mut Field<f64>) {
    let scale = 4;
    let scale = scale + 1;
    for i in out.indices() {
        let v = x[i];
        let v = v as f64;
        let v = v * 0.5;
        let w = {
            let v = v + scale as f64;
            let v = v * v;
            v - 1.0
        };
        if v > 0.0 {
            let v = -v;
            out[i] = v + w;
        } else {
            out[i] = v - w;
        }
    }
}

#[kernel]
fn tuples(x: &Field<i32>, out: &mut Field<i64>) {
    for i in out.indices() {
        let (a, b) = (x[i], i as i64);
        let ((c, mut d), [e, _, f]) = ((a + 1, b * 2), [1i64, 2, 3]);
        d += 1;
        let t = (a, (b, c));
        let mut pair = (t.1.0, t.0);
        pair.0 *= 3;
        pair.1 = pair.1 + 1;
        let (_, (g, _)) = t;
        out[i] = c as i64 + 100 * d + e - f + pair.0 + pair.1 as i64 + g;
    }
}

/// All values of a tuple stand there before a name of its pattern does.
#[kernel]
fn exchanged(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let (a, b) = (x[i], 3);
        let (mut b, a): (i32, i32) = (a, b);
        let (a, b) = (b - a, {
            b += 1;
            b + a
        });
        let ((a, _), b) = ((b, a), a);
        out[i] = a - 2 * b;
    }
}

#[func]
fn norm(x: i32) -> i32 {
    x.abs()
}

const fn size() -> usize {
    3
}

/// Names that mean a function in the same tuple.
#[kernel]
fn named_like_functions(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let (norm, other) = (norm(x[i]), norm(x[i] + 1));
        let (size, all) = (2, [norm; size()]);
        out[i] = norm + 3 * other + all[2] * size;
    }
}

#[kernel]
fn arrays_taken_apart(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let [a, b, mut c] = [x[i], x[i] * 2, 4];
        let [[p, q], [r, s]] = [[a, b], [c, 9]];
        c += p;
        let [(u, v), (w, _)] = [(p, 1), (q, 2)];
        out[i] = a + 2 * b + 3 * c + 5 * p + 7 * q + 11 * r + 13 * s + u + v + w;
    }
}

#[kernel]
fn blocks(x: &Field<i32>, out: &mut Field<Pair>) {
    for i in out.indices() {
        let sum = {
            let a = x[i];
            let b = a + 1;
            a + b
        };
        let pair = {
            let product = {
                let wide = sum as i64;
                wide * wide
            };
            Pair { sum, product }
        };
        let _unit = {
            let _inner = 3;
        };
        out[i] = if pair.sum > 0 {
            Pair { sum: -1, ..pair }
        } else if pair.sum < -40 {
            let product = 1;
            Pair { product, ..pair }
        } else {
            pair
        };
    }
}

const SCALE: i32 = 17;

#[kernel]
fn items_inside(x: &Field<i32>, out: &mut Field<i32>) {
    const OFFSET: i32 = -3;
    const TABLE: [i32; 4] = [1, 10, 100, 1000];
    for i in out.indices() {
        out[i] = x[i] * SCALE + OFFSET + TABLE[i % 4];
    }
}

pub fn check(device: &Device) {
    each!(device, plain, scatter, |_, x| 7 * x - 14);
    each!(device, late, scatter, |_, x| {
        let collatz = [x / 2, 3 * x + 1][(x & 1) as usize];
        (collatz - 1) * 10i32.pow(x.rem_euclid(3) as u32) + 1
    });
    each!(device, late_in_nested_branches, scatter, |_, x| match x {
        i32::MIN..-50 => -3,
        -50..0 => -2,
        0 => 0,
        _ => 1,
    });
    each!(device, shadowed, scatter, |_, x| {
        let half = f64::from(x) / 2.0;
        let w = (half + 5.0).powi(2) - 1.0;
        if half > 0.0 { w - half } else { half - w }
    });
    each!(device, tuples, scatter, |i, x| {
        let (x, i) = (i64::from(x), i as i64);
        (x + 1) + 100 * (2 * i + 1) + 1 - 3 + 3 * i + x + 1 + i
    });
    each!(device, exchanged, scatter, |_, x| 10 - x);
    each!(device, named_like_functions, scatter, |_, x: i32| 3 * x.abs()
        + 3 * (x + 1).abs());
    each!(device, arrays_taken_apart, scatter, |_, x| {
        let q = 2 * x;
        x + 2 * q + 3 * (4 + x) + 5 * x + 7 * q + 11 * 4 + 13 * 9 + x + 1 + q
    });
    each!(device, blocks, scatter, |_, x| {
        let sum = 2 * x + 1;
        let product = i64::from(sum).pow(2);
        match sum {
            1.. => Pair { sum: -1, product },
            i32::MIN..-40 => Pair { sum, product: 1 },
            _ => Pair { sum, product },
        }
    });
    each!(device, items_inside, scatter, |i, x| 17 * x - 3
        + 10i32.pow((i % 4) as u32));
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        plain,
        late,
        late_in_nested_branches,
        shadowed,
        tuples,
        exchanged,
        named_like_functions,
        arrays_taken_apart,
        blocks,
        items_inside
    ]
}
