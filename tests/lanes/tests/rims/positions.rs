//! Positions by functions of integers: what these give along a row they are asked for.

use swathe::{Technique, prelude::*};
use swathe_tests_lanes::{field, same, values, versions};

use super::{Grid, compare};

type Count = usize;
const TWO: usize = 2;
const LEFT: i32 = -1;

#[func]
fn next(i: usize, n: usize) -> usize {
    if i + 1 == n { 0 } else { i + 1 }
}

/// Leaves early.
#[func]
fn previous(i: usize, n: usize) -> usize {
    if i == 0 {
        return n - 1;
    }
    i - 1
}

/// Changes variables, by numbers below zero.
#[func]
fn around(mut i: i32, n: i32) -> usize {
    let beyond = i >= n;
    if i < 0 {
        i += n;
    } else if beyond && n > 0 {
        i -= n;
    }
    i as usize
}

#[func]
fn modulo(i: i32, n: i32) -> i32 {
    ((i % n) + n) % n
}

#[func]
fn euclid(i: i64, n: usize) -> usize {
    i.rem_euclid(n as i64) as usize
}

/// To and fro, through other functions.
#[func]
fn mirrored(i: isize, n: usize) -> usize {
    let last = largest(n) as isize;
    let i = i.abs();
    let there = match_last(i, last);
    there as usize
}

#[func]
fn match_last(i: isize, last: isize) -> isize {
    if i > last { 2 * last - i } else { i }
}

#[func]
fn largest(n: usize) -> usize {
    n.saturating_sub(1)
}

#[func]
fn clamped(i: i32, n: usize) -> usize {
    let i = i.max(0) as usize;
    i.min(largest(n))
}

#[func]
fn between(i: i32, least: i32, most: i32) -> i32 {
    i.clamp(least, most)
}

/// Of a byte, which has no room for larger positions.
#[func]
fn low(i: u8) -> u8 {
    i.wrapping_add(3)
}

/// The number of the element in rows of `w`.
#[func]
fn flat(i: usize, j: usize, w: usize) -> usize {
    i * w + j
}

/// By constants, a truth value as a number, and the neighbour by a rule.
#[func]
fn by_rule(i: usize, n: usize) -> usize {
    const ONE: usize = 1;
    let far = (i > 4) as usize * TWO + ONE;
    let i = i.periodic(LEFT, n);
    (i + far - ONE).clamped(1, n)
}

/// Against the direction of the row.
#[func]
fn turned(i: usize, n: usize) -> usize {
    n - 1 - i
}

/// Of what does not change along a row.
#[func]
fn coarse(i: usize) -> usize {
    let half = (i as isize - 7) / 2;
    (half + 4) as usize
}

/// Begins again after four positions, in some rows.
#[func]
fn first_four(i: usize, k: usize) -> usize {
    let by = if k % 3 == 0 { 4 } else { k + 1000 };
    i % by
}

/// Loops tell nothing.
#[func]
fn looped(i: usize, n: usize) -> usize {
    let mut k = i + 3;
    while k >= n {
        k -= n;
    }
    k
}

/// By a name of its own for the type of an index.
#[func]
fn named(i: Count, n: Count) -> Count {
    next(i, n)
}

twins! {
    by_functions[0 4] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        v[[i, j]] = u[[previous(i, h), j]] + 3 * u[[next(i, h), j]] - 7 * u[[i, previous(j, w)]]
            + 11 * u[[i, next(j, w)]] + n as i64;
    }
    of_variables[0 4] (u, v, n) { let [h, w] = u.shape(); let h = h as i32; } (i, j) {
        let (y, x) = (i as i32, j as i32);
        let (up, down) = (around(y - 1, h), around(y + 1, h));
        let left = around(x - 1, w as i32);
        let right = around(x + n as i32, w as i32);
        v[[i, j]] = u[[up, j]] + 3 * u[[down, j]] - 7 * u[[i, left]] + 11 * u[[i, right]];
    }
    cast[0 4] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        let (y, x) = (i as i32, j as i32);
        v[[i, j]] = u[[modulo(y - 1, h as i32) as usize, j]] + 3 * u[[euclid(y as i64 + 1, h), j]]
            - 7 * u[[i, modulo(x - n as i32, w as i32) as usize]] + 11 * u[[i, euclid(j as i64 + 1, w)]];
    }
    through_others[0 5] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        v[[i, j]] = u[[mirrored(i as isize - 1, h), j]] + 3 * u[[clamped(i as i32 + 1, h), j]]
            - 7 * u[[i, mirrored(j as isize - 2, w)]] + 11 * u[[i, clamped(j as i32 - 1, w)]]
            + 13 * u[[i, next(next(previous(j, w), w), w)]] + n as i64;
    }
    in_sums[1 3] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        let after = next(j, w);
        let far = if j + 4 < w { u[[i, after + 2]] } else { -1 };
        let back = between(j as i32 - 2, 0, w as i32 - 1);
        v[[i, j]] = far + 3 * u[[i, back as usize]] - 7 * u[[h - 1 - largest(h) + i, next(j, w - 1) % w]]
            + 11 * u[[by_rule(i, h), by_rule(j, w)]] + n as i64;
    }
    coarser[0 2] (u, v, n) { let h = u.shape()[0]; } (i, j) {
        let there = if h > 1 { u[[coarse(i), j]] } else { 5 };
        v[[i, j]] = u[[coarse(i).min(h - 1), j]] + 3 * there - n as i64 * u[[coarse(i) - coarse(i), j]];
    }
    beside_others[2 4] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        // One tells nothing, one does not grow along with the row: the others have an inside of their own.
        let right = if j + 1 == w { 0 } else { j + 1 };
        let left = if j > 0 { u[[i, j - 1]] } else { -5 };
        v[[i, j]] = u[[next(i, h), right]] + 3 * left - 7 * u[[i, looped(j, w)]] + 11 * u[[i, turned(j, w)]] + n as i64;
    }
    sometimes_of_use[2 3] (u, v, n) { let w = u.shape()[1]; } (i, j) {
        // Of little use in most rows.
        let right = if j + 1 == w { 0 } else { j + 1 };
        let left = if j > 0 { u[[i, j - 1]] } else { -5 };
        v[[i, j]] = 3 * u[[i, right]] + left - 7 * u[[i, first_four(j, i + n)]];
    }
    with_others[0 5] (u, v, n) { let w = u.shape()[1]; } (i, j) {
        // Two of these tell nothing, one does not grow along with the row.
        let other = u[[i, looped(j, w)]] + 3 * u[[i, turned(j, w)]] + 5 * u[[i, named(j, w)]];
        let low = if w > 300 { u[[i, low(j as u8) as usize]] } else { 0 };
        v[[i, j]] = other + 7 * low - 11 * u[[i, next(j, w)]] + n as i64;
    }
}

#[test]
fn plans_name_the_functions() {
    let asked = |plan: swathe::Plan| -> Vec<(&str, bool)> {
        let asked = plan.loops()[0]
            .techniques
            .iter()
            .filter_map(|technique| match technique {
                Technique::Asked { function, told } => Some((*function, *told)),
                _ => None,
            });
        asked.collect()
    };
    assert_eq!(
        asked(through_others::kernel::plan()),
        ["mirrored", "clamped", "previous", "next"].map(|function| (function, true))
    );
    assert_eq!(
        asked(with_others::kernel::plan()),
        [
            ("looped", false),
            ("turned", true),
            ("named", false),
            ("low", true),
            ("next", true)
        ]
    );
    assert_eq!(asked(super::wrapped_by_if::kernel::plan()), []);
}

/// Ranges that do not begin at 0, with sums beside.
#[kernel]
fn from_a_start(x: &Field<i64>, y: &mut Field<i64>, first: usize) -> i64 {
    let n = x.len();
    let mut sum = 0;
    for i in first..n {
        y[i] = x[next(i, n)] - 3 * x[around(i as i32 - 1, n as i32)] + 7 * x[next(n - 1 - first, n)];
        sum += x[previous(i, n)];
    }
    sum
}

#[kernel]
fn without_sums(x: &Field<i64>, y: &mut Field<i64>, first: usize) {
    let n = x.len();
    for i in first..n - 1 {
        y[i] = x[next(i, n)] - 3 * x[doubled(i, n)] + 5 * x[turned(i, n)];
    }
}

#[func]
fn doubled(i: usize, n: usize) -> usize {
    let there = i * 2 + 1;
    if there < n { there } else { 0 }
}

#[test]
fn ranges_that_begin_elsewhere() {
    versions(|name| {
        for (n, first) in [(200, 0), (200, 3), (200, 50), (1000, 999), (64, 17), (5000, 2500)] {
            let x = field(n, |i| (i * i % 1009) as i64);
            let at = |i: usize| (i * i % 1009) as i64;
            let mut y = field(n, |_| -7);
            let sum = from_a_start(&x, &mut y, first).unwrap();
            assert_eq!(
                sum,
                (first..n).map(|i| at((i + n - 1) % n)).sum::<i64>(),
                "{name}, {n}, {first}"
            );
            same(name, &values(&y), |i| match i >= first {
                true => at((i + 1) % n) - 3 * at((i + n - 1) % n) + 7 * at((n - first) % n),
                false => -7,
            });
            let mut y = field(n, |_| -7);
            without_sums(&x, &mut y, first).unwrap();
            let twice = |i: usize| if 2 * i + 1 < n { 2 * i + 1 } else { 0 };
            same(name, &values(&y), |i| match i >= first && i + 1 < n {
                true => at(i + 1) - 3 * at(twice(i)) + 5 * at(n - 1 - i),
                false => -7,
            });
        }
    });
}

const BACK: i32 = 1;
const AHEAD: i32 = 3;
const HIGH: i32 = 1 << 20;

/// The offset has a type of its own.
#[func]
fn saturated(i: usize, n: usize) -> usize {
    i.periodic(BACK.saturating_sub(AHEAD), n)
}

#[func]
fn wrapped(i: usize, n: usize) -> usize {
    i.clamped(HIGH.wrapping_mul(HIGH) - 2, n)
}

/// What is out of range of its type wraps.
#[func]
#[allow(overflowing_literals)]
fn out_of_range(i: usize, n: usize) -> usize {
    let k: u8 = 258;
    let mut m = i as u8;
    if m > 0 {
        m = 513;
    } else {
        m = 769;
    }
    (i + k as usize + (m.min(300) as usize)) % n
}

#[func]
fn large(i: usize, n: usize) -> usize {
    (i + 1 + 9_223_372_036_854_775_807).rem_euclid(n)
}

/// A type that is left to rustc.
#[func]
fn inferred(i: usize, n: usize) -> usize {
    let k: _ = i + 1;
    let m: _ = k + 0;
    if m == n { 0 } else { m }
}

#[kernel]
fn of_other_types(x: &Field<i64>, y: &mut Field<[i64; 5]>) {
    let n = x.len();
    for i in x.indices() {
        y[i] = [
            x[saturated(i, n)],
            x[wrapped(i, n)],
            x[out_of_range(i, n)],
            x[large(i, n)],
            x[inferred(i, n)],
        ];
    }
}

#[test]
fn numbers_of_other_types() {
    versions(|name| {
        let n = 200;
        let (x, mut y) = (field(n, |i| i as i64), Field::full(&Device::cpu(), n, [-1; 5]).unwrap());
        of_other_types(&x, &mut y).unwrap();
        for (i, found) in y.to_vec().unwrap().into_iter().enumerate() {
            let expected = [
                (i + n - 2) % n,
                i.saturating_sub(2),
                (i + 2 + 1) % n,
                (i + (1_usize << 63)) % n,
                (i + 1) % n,
            ];
            assert_eq!(found, expected.map(|k| k as i64), "{name}, {i}");
        }
    });
}

/// Indices that are not what a function gives by themselves keep their checks.
#[kernel]
fn by_arrays(x: &Field<i64, 2>, y: &mut Field<i64, 2>) {
    let w = x.shape()[1];
    for [i, j] in y.indices() {
        let a = next(j, w);
        let p = [i, a];
        let q = [a, i];
        y[[i, j]] = x[[i, a]] + 3 * x[p] + 5 * x[[q[1], q[0]]] + 7 * x[[i, a % w]] + 11 * x[[i, a.min(w - 1)]];
    }
}

#[test]
fn arrays_of_what_functions_give() {
    versions(|name| {
        let x = Field::from_fn(&Device::cpu(), [3, 100], |[i, j]| (i * 1000 + j) as i64).unwrap();
        let mut y = Field::full(&Device::cpu(), [3, 100], -1).unwrap();
        by_arrays(&x, &mut y).unwrap();
        let expected = (0..300).map(|k| 27 * (k / 100 * 1000 + (k % 100 + 1) % 100) as i64);
        assert_eq!(y.to_vec().unwrap(), expected.collect::<Vec<_>>(), "{name}");
    });
}

/// The value of an assignment comes before the variable that it changes.
#[func]
#[allow(unused_assignments)]
fn in_order(i: usize, n: usize) -> usize {
    let mut x = i;
    x += {
        x = 3;
        1
    };
    if x < n { x } else { 0 }
}

/// A name of its own for a type.
#[func]
fn renamed(i: usize, n: usize) -> usize {
    use std::primitive::i64 as usize;
    let k = i as usize - 300;
    if k < 0 { i } else { n }
}

#[func]
#[allow(unused_assignments)]
fn compared_in_order(i: usize, n: usize) -> usize {
    let mut x = i;
    let more = x > {
        x = n;
        40
    };
    let mut y = i;
    let less = y <= {
        y = 0;
        40
    };
    if more {
        i
    } else if less && i + 2 < n {
        i + 2
    } else {
        0
    }
}

#[func]
fn constant<const N: usize>(i: usize) -> usize {
    i + N
}

#[func]
fn generic<T: swathe::math::Float>(i: usize, _by: T) -> usize {
    constant::<1>(i)
}

mod elsewhere {
    use swathe::prelude::*;

    #[func]
    pub fn second(i: usize, n: usize) -> usize {
        if i + 2 < n { i + 2 } else { i }
    }
}

#[kernel]
fn by_others(x: &Field<i64, 2>, y: &mut Field<i64, 2>) {
    use self::next as following;
    use elsewhere::second;

    let [h, w] = x.shape();
    for [i, j] in y.indices() {
        let k = following(i, h);
        let mut sum = 23 * x[[i, compared_in_order(j, w)]]
            + x[[i, in_order(j, w)]]
            + 3 * x[[i, renamed(j, w)]]
            + 5 * x[[i, second(j, w)]];
        if j + 1 < w {
            sum +=
                7 * x[[i, constant::<1>(j)]] + 11 * x[[i, generic(j, 0.5_f32)]] + 13 * x[[i, generic::<f64>(j, 0.5)]];
        }
        for l in 0..3_usize {
            sum += 17 * x[[(k + l) % h, j]];
        }
        for l in -1..2_i32 {
            sum -= 19 * x[[k.periodic(l, h), j]] + x[[k.reflected(l, h), j]] + x[[k.symmetric(l, h), j]];
        }
        y[[i, j]] = sum;
    }
}

#[test]
fn functions_of_all_kinds() {
    versions(|name| {
        for [h, w] in [[4, 100], [3, 257], [5, 30]] {
            let at = |i: usize, j: usize| (i * 1000 + j) as i64;
            let x = Field::from_fn(&Device::cpu(), [h, w], |[i, j]| at(i, j)).unwrap();
            let mut y = Field::full(&Device::cpu(), [h, w], -1).unwrap();
            by_others(&x, &mut y).unwrap();
            let found = y.to_vec().unwrap();
            for (e, found) in found.into_iter().enumerate() {
                let (i, j) = (e / w, e % w);
                let k = (i + 1) % h;
                let second = if j + 2 < w { j + 2 } else { j };
                let mut sum = at(i, 4) + 3 * at(i, j) + 5 * at(i, second);
                let compared = if j > 40 {
                    j
                } else if j + 2 < w {
                    j + 2
                } else {
                    0
                };
                sum += 23 * at(i, compared);
                if j + 1 < w {
                    sum += (7 + 11 + 13) * at(i, j + 1);
                }
                sum += (0..3).map(|l| 17 * at((k + l) % h, j)).sum::<i64>();
                for l in -1..2 {
                    sum -= 19 * at(k.periodic(l, h), j) + at(k.reflected(l, h), j) + at(k.symmetric(l, h), j);
                }
                assert_eq!(found, sum, "{name}, {i}, {j}");
            }
        }
    });
}

/// Lengths and items of bytes tell the type of literals in a branch that is not taken.
#[derive(Element, Clone, Copy)]
struct Short {
    length: u8,
}

#[func]
impl Short {
    fn len(self) -> u8 {
        self.length
    }
}

const THREE: Short = Short { length: 3 };
const FEW: [u8; 4] = [1, 2, 3, 4];

#[kernel]
fn choices(x: &Field<i64>, y: &mut Field<i64>, a: usize, q: usize) {
    for j in y.indices() {
        let d = ((if a < 5 { THREE.len() } else { 200 }) + (if a < 6 { THREE.len() } else { 100 })) as usize;
        if j >= 300 {
            y[j] = x[j - d];
        }
    }
    for j in y.indices() {
        let mut s = 0;
        for l in (if a < 5 { FEW[q] } else { 200 }) + (if a < 6 { FEW[q] } else { 100 })..90 {
            s += x[j - l as usize];
        }
        y[j] += s;
    }
}

#[test]
fn types_of_choices_are_those_of_rust() {
    versions(|name| {
        // 200 and 100 make 44 of bytes: beyond the end at 1044.
        let (x, mut y) = (field(1000, |i| i as i64), field(1300, |_| -1));
        assert!(choices(&x, &mut y, 7, 1).is_err(), "{name}");
        let y = values(&y);
        same(name, &y[1044..], |_| -1);
    });
}

/// Minima and their like of literals alone, which are of the type of what they are cast with.
#[kernel]
fn literals_alone(x: &Field<i64>, y: &mut Field<i64>, z: &mut Field<i64>, n: usize) {
    for j in y.indices() {
        let a = 5_i32;
        y[j] = x[(j as i32 + a.saturating_sub(50)) as usize];
    }
    for j in z.indices() {
        let k = 200_u8;
        z[j] = x[j + (k - ((if n < 5 { 7 } else { 200_u8 }) + 100).min(150)) as usize];
    }
}

#[test]
fn literals_have_the_types_of_rust() {
    versions(|name| {
        let x = field(1000, |i| i as i64);
        let (mut y, mut z) = (field(400, |_| -1), field(1000, |_| -1));
        // 300 is 44 of bytes, so that 156 is added.
        assert!(literals_alone(&x, &mut y, &mut z, 9).is_err(), "{name}");
        same(name, &values(&y), |i| if i >= 45 { i as i64 - 45 } else { -1 });
        let mut z = field(844, |_| -1);
        let mut y = field(0, |_| -1);
        literals_alone(&x, &mut y, &mut z, 9).unwrap();
        same(name, &values(&z), |i| i as i64 + 156);
    });
}

/// A range has the type of one of its ends, and a place in a table that of what it is compared with.
#[kernel]
fn ends_and_places(x: &Field<i64>, y: &mut Field<i64, 2>, n: u8, t: [usize; 2], p: usize, q: usize) {
    for [i, j] in y.indices() {
        let mut s = 0;
        for l in (if p < q { 200 } else { 50 }) + 100..=n {
            s += x[j + l as usize - 30];
        }
        let at = if (if p < q { (if p < q { 200 } else { 50 }) + 100 } else { n }) < 100 {
            1
        } else {
            0
        };
        y[[i, j]] = s + 1000 * x[j + t[at]];
    }
}

#[test]
fn ends_and_places_have_the_types_of_rust() {
    versions(|name| {
        // 300 is 44 of bytes.
        let x = field(1000, |i| i as i64);
        let mut y = Field::full(&Device::cpu(), [4, 300], -1).unwrap();
        ends_and_places(&x, &mut y, 60, [0, 500], 1, 2).unwrap();
        for (e, found) in y.to_vec().unwrap().into_iter().enumerate() {
            let j = e % 300;
            let sum: usize = (44..=60).map(|l| j + l - 30).sum();
            assert_eq!(found, (sum + 1000 * (j + 500)) as i64, "{name}, {e}");
        }
        assert!(ends_and_places(&x, &mut y, 60, [0, 900], 1, 2).is_err(), "{name}");
        assert!(ends_and_places(&x, &mut y, 250, [0, 500], 2, 1).is_ok(), "{name}");
    });
}
