//! Users' operators and methods, long conditions.

use swathe::prelude::*;
use swathe_tests_lanes::{field, same, values, versions, versions_and_caches};

/// A number that is no index, on both sides of operators with positions.
#[derive(Element, Clone, Copy, PartialEq)]
struct Mine {
    by: u32,
}

#[func]
impl std::ops::Add<Mine> for usize {
    type Output = usize;
    fn add(self, mine: Mine) -> usize {
        self ^ mine.by as usize
    }
}

#[func]
impl PartialEq<Mine> for usize {
    fn eq(&self, mine: &Mine) -> bool {
        *self % 7 != mine.by as usize
    }
}

#[kernel]
fn other_operators(x: &Field<i64>, y: &mut Field<i64>, mine: Mine) {
    for i in y.indices() {
        if i == mine {
            y[i] = x[i + mine];
        } else {
            y[i] = -x[(i + mine) % x.len()];
        }
    }
}

#[test]
fn operators_of_others_are_no_sums() {
    versions(|name| {
        let (x, mut y) = (field(128, |i| 3 * i as i64), field(100, |_| 0));
        other_operators(&x, &mut y, Mine { by: 5 }).unwrap();
        same(name, &values(&y), |i| match i % 7 != 5 {
            true => 3 * (i ^ 5) as i64,
            false => -3 * (i ^ 5) as i64,
        });
    });
}

/// What a number says of an order has nothing to do with that of positions.
#[derive(Element, Clone, Copy, PartialEq)]
struct Third {
    rest: u32,
}

#[func]
impl PartialEq<Third> for usize {
    fn eq(&self, third: &Third) -> bool {
        *self % 3 == third.rest as usize
    }
}

#[func]
impl PartialOrd<Third> for usize {
    fn partial_cmp(&self, _: &Third) -> Option<std::cmp::Ordering> {
        None
    }

    fn lt(&self, third: &Third) -> bool {
        *self % 3 != third.rest as usize
    }
}

/// Large elements, which blocks copy, written where a limit that is none allows it.
#[kernel(strict)]
fn below_a_third(x: &Field<[f32; 9]>, y: &mut Field<[f32; 9]>, third: Third) {
    for i in y.indices() {
        if i < third {
            let v = x[i];
            let [a, b, c] = [v[0] * v[1] + v[2], v[1] * v[1] - v[4], v[2] * v[3] * v[0]];
            y[i] = [
                a,
                b,
                c,
                v[3] + v[4] * v[0],
                v[5] * v[0],
                v[1] / v[2],
                v[6] * a,
                v[7] + b,
                v[8] * c,
            ];
        }
    }
}

/// Elements that streams would write, under the same limit.
#[kernel]
fn some_elements(x: &Field<f32>, y: &mut Field<f32>, third: Third) {
    for i in y.indices() {
        if i < third {
            y[i] = 2.0 * x[i];
        }
    }
}

#[test]
fn comparisons_of_others_are_no_limits() {
    versions_and_caches(|name| {
        let element = |i: usize| std::array::from_fn(|k| ((i * 7 + k * 3) % 31 + 1) as f32);
        for n in [1, 3, 17, 1000, 5003] {
            let (x, mut y) = (field(n, element), field(n, |i| [i as f32; 9]));
            below_a_third(&x, &mut y, Third { rest: 1 }).unwrap();
            same(name, &values(&y), |i| {
                let v = element(i);
                let [a, b, c] = [v[0] * v[1] + v[2], v[1] * v[1] - v[4], v[2] * v[3] * v[0]];
                match i % 3 {
                    1 => [i as f32; 9],
                    _ => [
                        a,
                        b,
                        c,
                        v[3] + v[4] * v[0],
                        v[5] * v[0],
                        v[1] / v[2],
                        v[6] * a,
                        v[7] + b,
                        v[8] * c,
                    ],
                }
            });
            let (x, mut y) = (field(n, |i| i as f32), field(n, |_| -1.0));
            some_elements(&x, &mut y, Third { rest: 2 }).unwrap();
            same(name, &values(&y), |i| if i % 3 == 2 { -1.0 } else { 2.0 * i as f32 });
        }
    });
}

#[func]
impl Mine {
    fn len(self) -> usize {
        self.by as usize
    }
}

const FIVE: Mine = Mine { by: 5 };

/// A length that is none of an array.
#[kernel]
fn as_long_as_mine(x: &Field<i64>, y: &mut Field<i64>) {
    let n = x.len();
    for i in y.indices() {
        let mut sum = 0;
        if i + 5 <= n {
            for k in 0..FIVE.len() {
                sum += x[i + k];
            }
        }
        y[i] = sum;
    }
}

#[test]
fn lengths_of_others_are_no_lengths_of_arrays() {
    versions(|name| {
        let (x, mut y) = (field(100, |i| 3 * i as i64), field(100, |_| 0));
        as_long_as_mine(&x, &mut y).unwrap();
        same(name, &values(&y), |i| match i + 5 <= 100 {
            true => 3 * (5 * i as i64 + 10),
            false => 0,
        });
    });
}

/// Each variable stands for two of the one before.
#[kernel]
fn chain(x: &Field<i32>, y: &mut Field<i32>) {
    let n = x.len();
    for i in y.indices() {
        let a = if i + 1 == n { 0 } else { i + 1 };
        let b = if a + 1 == n { 0 } else { a + 1 };
        let c = if b + 1 == n { 0 } else { b + 1 };
        let d = if c + 1 == n { 0 } else { c + 1 };
        let e = if d + 1 == n { 0 } else { d + 1 };
        let f = if e + 1 == n { 0 } else { e + 1 };
        let g = if f + 1 == n { 0 } else { f + 1 };
        let h = if g + 1 == n { 0 } else { g + 1 };
        let j = if h + 1 == n { 0 } else { h + 1 };
        let k = if j + 1 == n { 0 } else { j + 1 };
        let l = if k + 1 == n { 0 } else { k + 1 };
        let m = if l + 1 == n { 0 } else { l + 1 };
        let o = m + m;
        let p = o + o;
        let q = p + p;
        let r = q + q;
        let s = r + r;
        y[i] = x[m] + x[(s - 31 * m + i) % n];
    }
}

/// Each condition stands for two of the one before, and numbers that no product has room for.
#[kernel]
fn conditions(x: &Field<i32>, y: &mut Field<i32>) {
    let n = x.len();
    for i in y.indices() {
        let a = i < n && i + 1 < n;
        let b = a && a;
        let c = b && b;
        let d = c && c;
        let e = d && d;
        let f = e && e;
        let g = f && f;
        let h = g && g;
        let j = h && h;
        let k = j && j;
        let l = k && k;
        let m = l && l;
        let o = m && m;
        let p = o && o;
        let q = p && p;
        let r = q && q;
        if r {
            y[i] = x[i + 1];
        }
        if i > n && i * 9_223_372_036_854_775_807 < n - i * 9_223_372_036_854_775_807 {
            y[i] = x[9_223_372_036_854_775_807 + 9_223_372_036_854_775_807 + i];
        }
    }
}

#[test]
fn long_conditions_long_chains_and_numbers_without_room() {
    versions(|name| {
        let (x, mut y) = (field(300, |i| i as i32), field(300, |_| -1));
        conditions(&x, &mut y).unwrap();
        same(name, &values(&y), |i| if i < 299 { i as i32 + 1 } else { -1 });
        chain(&x, &mut y).unwrap();
        same(name, &values(&y), |i| {
            ((i + 12) % 300 + ((i + 12) % 300 + i) % 300) as i32
        });
    });
}

/// A number with a remainder, a minimum and a difference of its own.
#[derive(Clone, Copy, Element)]
struct Own {
    by: i32,
}

#[func]
impl Own {
    fn saturating_sub(self, i: usize) -> i32 {
        self.by - 2 * i as i32
    }

    fn min(self, n: usize) -> i32 {
        self.by * n as i32
    }
}

#[func]
impl std::ops::Rem<usize> for Own {
    type Output = i32;
    fn rem(self, n: usize) -> i32 {
        self.by + n as i32
    }
}

#[kernel]
fn own_operations(x: &Field<i32>, y: &mut Field<i32>, own: Own) {
    let n = x.len();
    for i in y.indices() {
        y[i] = if i > 0 { x[i - 1] } else { 0 };
        y[i] += own.saturating_sub(i) + own.min(i) + own % n;
    }
}

#[test]
fn operations_of_the_users() {
    versions(|name| {
        let (x, mut y) = (field(100, |i| 3 * i as i32), field(100, |_| 0));
        own_operations(&x, &mut y, Own { by: 7 }).unwrap();
        same(name, &values(&y), |i| {
            let i = i as i32;
            (3 * (i - 1)).max(0) + (7 - 2 * i) + 7 * i + 107
        });
    });
}
