//! Blocks in lanes of which an iteration fails run again, one by one: what they had written is put back, or is written again.

use swathe::prelude::*;
use swathe_tests_lanes::{SIZES, field, same, values, versions};

use super::odd;

/// Comes to no end for `by` = 0.
#[func]
fn climb(from: i32, by: i32) -> i32 {
    let (mut n, mut sum) = (from, 0);
    while n < 100 {
        n += by;
        sum += n;
    }
    sum
}

#[derive(Element, Clone, Copy)]
struct Limit {
    least: i32,
}

#[func]
impl Limit {
    fn checked(&self, x: i32) -> i32 {
        assert!(x > self.least, "{x} is too small");
        x
    }
}

#[func]
fn vetted(list: &[i32; 4], x: i32) -> i32 {
    assert!(x > list[0], "{x} is too small");
    x
}

macro_rules! fails_before {
    ($($name:ident($x:ident, $i:ident) $value:expr;)*) => {
        $(#[kernel]
        fn $name(x: &Field<i32>, out: &mut Field<i32>) {
            for $i in out.indices() {
                let $x = x[$i];
                out[$i] = $value;
            }
        })*

        #[test]
        fn operands_that_fail_before_calls() {
            let value = |i: usize| if i == 77 { 0 } else { 1 + i as i32 % 3 };
            let x = field(300, value);
            versions(|name| {$(
                let mut out = field(300, |_| -1);
                let error = $name(&x, &mut out).unwrap_err().to_string();
                let told = ["divide by zero", "too small", "index out of bounds", "zero"].iter().any(|text| error.contains(text));
                assert!(told, "{name}, {}: {error}", stringify!($name));
                // A division ends its neighbours among lanes, too, and a panic whatever comes behind it.
                let got = values(&out);
                assert_eq!(got[77], -1);
                for $i in 0..64 {
                    let $x = value($i);
                    assert!(got[$i] == $value || got[$i] == -1, "{name}, {}: {}", stringify!($name), $i);
                }
            )*});
        }
    };
}

fails_before! {
    divided(x, i) 1000 / x + climb(i as i32, x);
    in_a_tuple(x, i) { let (a, b) = (1000 % x, climb(i as i32, x)); a + b };
    by_a_method(x, i) 7i32.div_euclid(x) + climb(i as i32, x);
    by_a_function(x, i) { let list = [0, 1, 2, 3]; vetted(&list, x) + climb(i as i32, x) };
    by_a_struct(x, i) { let limit = Limit { least: 0 }; limit.checked(x) * 2 + climb(i as i32, x) };
    by_an_index(x, i) { let list = [5, 6, 7, 8]; list[(x + 3 * (x == 0) as i32 * 2) as usize] + climb(i as i32, x) };
    in_a_condition(x, i) if 9 / x < climb(i as i32, x) { 1 } else { 2 };
    among_arguments(x, i) odd(9 / x) + climb(climb(i as i32, x) / 100, x);
    of_several(x, i) (odd(x) * 8 / x) - climb(i as i32, x) * (5 % x) + climb(4, x);
}

/// What methods change, and how often one was called.
#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Counted {
    sum: i32,
    calls: i32,
}

#[func]
impl Counted {
    fn add(&mut self, by: i32) {
        self.sum += by;
        self.calls += 1;
    }
}

macro_rules! changes_places {
    ($($name:ident($x:ident, $i:ident) { $($body:tt)* } $value:expr;)*) => {
        $(mod $name {
            use super::*;

            #[kernel]
            pub fn kernel(x: &Field<i32>, out: &mut Field<i32>) {
                for $i in out.indices() {
                    let $x = x[$i];
                    $($body)*
                    out[$i] = $value;
                }
            }

            pub fn plain($x: i32, $i: usize) -> i32 {
                $($body)*
                $value
            }
        })*

        #[test]
        fn methods_change_places_and_no_copies() {
            let value = |i: usize| 1 + i as i32 % 3;
            versions(|name| {
                for n in SIZES {
                    let x = field(n, value);
                    $(
                        let mut out = field(n, |_| -1);
                        $name::kernel(&x, &mut out).unwrap();
                        same(&format!("{name}, {}", stringify!($name)), &values(&out), |i| $name::plain(value(i), i));
                    )*
                }
            });
        }
    };
}

changes_places! {
    elements(x, i) {
        let mut list = [Counted { sum: 1, calls: 0 }; 3];
        list[i % 3].add(climb(i as i32, x));
    } list[0].sum + 3 * list[1].sum + 5 * list[2].sum + list[i % 3].calls;
    rows(x, i) {
        let mut table = [[Counted { sum: 1, calls: 0 }; 2]; 2];
        table[(x & 1) as usize][(climb(i as i32, x) & 1) as usize].add(x);
        table[1][i % 2].add(climb(x, 3) + climb(i as i32, 2));
    } table[0][0].sum + 3 * table[0][1].sum + 5 * table[1][0].sum + 7 * table[1][1].sum;
    in_branches(x, i) {
        let mut list = [Counted { sum: 1, calls: 0 }; 3];
        let y = climb(x, 1);
        list[i % 3].add(if y > 0 { climb(x, 2) } else { 3 });
    } list[i % 3].sum * 2 + list[1].calls + y;
    variables(x, i) {
        let mut one = Counted { sum: 2, calls: 0 };
        one.add(climb(i as i32, x));
        one.add(one.sum + climb(one.sum % 7, 2));
    } one.sum + 100 * one.calls;
}

#[func]
fn unless(x: u32, bad: u32) -> u32 {
    assert!(x != bad, "{x} is bad");
    x
}

/// Changes what is its own before, between and behind what may fail.
#[kernel]
fn before_and_behind(x: &Field<u32>, rounds: usize, out: &mut Field<u32>, bodies: &mut Field<Tallied>) {
    for i in out.indices() {
        out[i] += 1000;
        bodies[i].inner.count += 1;
        for _ in 0..rounds {
            out[i] += 1;
            bodies[i].sum.y += 0.5;
        }
        let second = unless(x[i], 6);
        out[i] += second;
        for k in 0..rounds {
            out[i] += unless(x[i] + k as u32, 5);
        }
        bodies[i].inner.count += 10;
    }
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Tallied {
    sum: Vec3,
    inner: Tally,
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Tally {
    count: u32,
}

fn before_and_behind_of(x: u32, rounds: usize, out: &mut u32, body: &mut Tallied) -> Option<u32> {
    *out += 1000;
    body.inner.count += 1;
    for _ in 0..rounds {
        *out += 1;
        body.sum.y += 0.5;
    }
    if x == 6 {
        return Some(6);
    }
    *out += x;
    for k in 0..rounds as u32 {
        if x + k == 5 {
            return Some(5);
        }
        *out += x + k;
    }
    body.inner.count += 10;
    None
}

/// By a division of the kernel's own, by a position as a whole, along a column, and with the same written again.
#[kernel]
fn by_divisions(x: &Field<i32, 2>, rounds: usize, out: &mut Field<i32, 2>, last: &mut Field<i32, 2>) {
    for p in out.indices() {
        out[p] -= 3;
        for k in 0..rounds {
            out[p] += 60 / (x[p] - k as i32);
            last[p] = k as i32;
        }
        out[p] *= 2;
    }
}

/// From an element on.
#[kernel]
fn from_element(x: &Field<u32>, start: usize, rounds: usize, out: &mut Field<u32>) {
    for i in 0..out.len() - start {
        out[start + i] += 1000;
        for k in 0..rounds {
            out[start + i] += unless(x[i] + k as u32, 5 + 2 * (k as u32 % 2));
        }
    }
}

/// At positions that count from an origin.
#[kernel]
fn from_origins(x: &OffsetField<i32, 2>, rounds: i32, out: &mut OffsetField<i32, 2>) {
    for p in out.indices() {
        let [i, j] = p;
        let row = i;
        out[p] -= 3;
        for k in 0..rounds {
            out[[row, j]] += 60 / (x[p] - k);
        }
        out[p] *= 2;
    }
}

const COLUMN: usize = 1;

/// By constants, products, extents, casts and variables for all of these.
#[kernel]
fn of_columns(
    x: &Field<u32>,
    rounds: usize,
    by: usize,
    out: &mut Field<u32, 2>,
    behind: &mut Field<u32>,
    wide: &mut Field<u32>,
) {
    for i in x.indices() {
        if i < out.shape()[0] {
            out[[i, COLUMN]] += 1000;
        }
        let place = i + by;
        wide[2 * i] += 7;
        if place < behind.len() {
            behind[place] += 1;
        }
        for _ in 0..rounds {
            wide[2 * i] += 1;
        }
        wide[2 * i] += unless(x[i], 6);
        if place < behind.len() {
            behind[place] += 5;
        }
        if i < out.shape()[0] {
            out[[i, COLUMN]] += x[i];
        }
    }
}

#[test]
fn elements_at_sums_are_put_back() {
    for n in [1, 17, 64, 200] {
        let x = |i: usize| if i % 37 == 20 { 6 } else { 9 + i as u32 };
        let input = field(n, x);
        versions(|version| {
            for (by, rounds) in [(0, 20), (3, 33)] {
                let mut out =
                    Field::from_fn(&Device::cpu(), [n + by, 2], |[i, j]| (10 * i + j) as u32).expect("memory");
                let (mut behind, mut wide) = (field(n + by, |i| i as u32), field(2 * n, |i| i as u32));
                let told = of_columns(&input, rounds, by, &mut out, &mut behind, &mut wide);
                assert_eq!(told.is_err(), n > 20, "{version}");
                same(version, &values(&wide), |k| match (k % 2, x(k / 2)) {
                    (0, 6) => k as u32 + 7 + rounds as u32,
                    (0, x) => k as u32 + 7 + rounds as u32 + x,
                    _ => k as u32,
                });
                same(version, &values(&out), |k| {
                    let (i, j, old) = (k / 2, k % 2, (10 * (k / 2) + k % 2) as u32);
                    match j {
                        1 if i >= n => old,
                        1 if x(i) == 6 => old + 1000,
                        1 => old + 1000 + x(i),
                        _ => old,
                    }
                });
                same(version, &values(&behind), |k| match k.checked_sub(by).map(x) {
                    None => k as u32,
                    Some(6) => k as u32 + 1,
                    Some(_) => k as u32 + 6,
                });
            }
        });
    }
}

/// By variables of patterns, where rows are split.
#[kernel]
fn by_patterns(x: &Field<i32>, d: &Field<i32>, rounds: i32, out: &mut Field<i32>, two: &mut Field<i32, 2>) {
    for i in x.indices() {
        let (at, v) = (i, x[i]);
        let left = if i > 0 { x[i - 1] } else { 0 };
        out[at] += left;
        for k in 0..rounds {
            out[at] += v / (d[i] - k);
        }
        let [first, same] = [0, at];
        two[[first, same]] += left;
        for k in 0..rounds {
            two[[first, same]] += v / (d[i] - k);
        }
    }
}

#[test]
fn elements_that_patterns_name_are_put_back() {
    for n in [1, 17, 200, 1000] {
        let divisor = |i: usize| if i % 53 == 40 { 7 } else { 100 + i as i32 % 9 };
        let (x, d) = (field(n, |i| 1000 + i as i32 * 7), field(n, divisor));
        versions(|version| {
            let rounds = 20;
            let mut out = field(n, |i| i as i32);
            let mut two = Field::from_fn(&Device::cpu(), [2, n], |[_, i]| i as i32).expect("memory");
            let told = by_patterns(&x, &d, rounds, &mut out, &mut two);
            assert_eq!(told.is_err(), n > 40, "{version}");
            let sum = |i: usize, all: bool| {
                let left = if i > 0 { 1000 + (i as i32 - 1) * 7 } else { 0 };
                let until = if all { rounds } else { 7 };
                let parts = (0..until).map(|k| (1000 + i as i32 * 7) / (divisor(i) - k));
                i as i32 + left + parts.sum::<i32>()
            };
            same(version, &values(&out), |i| sum(i, divisor(i) != 7));
            same(version, &two.to_vec().expect("elements"), |k| {
                match (k / n, divisor(k % n)) {
                    (0, 7) => (k % n) as i32,
                    (0, _) => sum(k % n, true),
                    _ => (k % n) as i32,
                }
            });
        });
    }
}

const ROWS: [usize; 2] = [1, 0];

/// By an item of a constant array, which no text tells.
#[kernel]
fn by_items(d: &Field<i32>, rounds: i32, two: &mut Field<i32, 2>) {
    for i in d.indices() {
        let [row, _] = ROWS;
        for k in 0..rounds {
            two[[row, i]] += 1000 / (d[i] - k);
        }
    }
}

#[test]
fn what_cannot_be_put_back_is_not_in_lanes() {
    let in_lanes = |plan: &swathe::Plan| {
        let mut techniques = plan.loops()[0].techniques.iter();
        techniques.any(|technique| matches!(technique, swathe::Technique::Lanes { .. }))
    };
    let (told, untold) = (by_patterns::plan(), by_items::plan());
    assert!(in_lanes(&told), "{told}");
    assert!(!in_lanes(&untold), "{untold}");
    assert!(untold.to_string().contains("could not be put back"), "{untold}");
}

/// What only some iterations claim.
#[kernel]
fn claimed(x: &Field<i32>, far: usize, here: usize, out: &mut Field<i32>, one: &mut Field<i32>, rest: &mut Field<i32>) {
    let n = out.len();
    for i in x.indices() {
        // SAFETY: one iteration writes there.
        if i == here {
            unsafe { *one.get_unchecked_mut(0) += 1000 };
        }
        let mut s = 0;
        for k in 0..200 {
            s += (k ^ x[i]) & 3;
        }
        // SAFETY: it is in bounds, and no two iterations have the same `i + far`.
        if far < n && i < n - far {
            unsafe { *out.get_unchecked_mut(i + far) += s };
        }
        rest[i] = s / (x[i] - 9);
    }
}

#[test]
fn what_is_claimed_is_touched_where_it_is_claimed() {
    let n = 4096;
    let x = |i: usize| (i % 10) as i32;
    let input = field(n, x);
    versions(|version| {
        for far in [0, 5, 1 << 40] {
            let (mut out, mut one, mut rest) = (field(n, |_| 1), field(1, |_| 0), field(n, |_| 0));
            assert!(
                claimed(&input, far, 2000, &mut out, &mut one, &mut rest).is_err(),
                "{version}"
            );
            assert_eq!(values(&one), [1000], "{version}");
        }
    });
}

/// Elements that no stack has room for in all lanes.
#[kernel]
fn of_large(x: &Field<u32>, rounds: usize, out: &mut Field<[u32; 30_000]>) {
    for i in out.indices() {
        out[i][7] += 1;
        for _ in 0..rounds {
            out[i][9] += unless(x[i], 6);
        }
    }
}

#[test]
fn large_elements_are_not_kept() {
    let (n, rounds) = (40, 20);
    let input = field(n, |i| 5 + (i % 2) as u32);
    versions(|version| {
        let mut out = Field::<[u32; 30_000]>::zeros(&Device::cpu(), n).expect("memory");
        assert!(of_large(&input, rounds, &mut out).is_err(), "{version}");
        for i in 0..n {
            let element = out.get(i).expect("an element");
            assert_eq!(
                [element[7], element[9]],
                [1, if i % 2 == 0 { 100 } else { 0 }],
                "{version}"
            );
        }
    });
}

/// The least failure is told, the others are counted, and iterations beside them are whole.
#[test]
fn failures_end_their_own_iterations() {
    let old = Tallied {
        sum: Vec3::splat(0.25),
        inner: Tally { count: 7 },
    };
    for n in SIZES {
        for (rounds, sparse) in [(0, true), (1, true), (23, true), (23, false)] {
            let x = |i: usize| match i % 61 {
                20 => 6,
                25 if !sparse => 5,
                32 => 3,
                k => 7 + k as u32,
            };
            let mut failed = Vec::new();
            let expected: Vec<(u32, Tallied)> = (0..n)
                .map(|i| {
                    let (mut out, mut body) = (i as u32, old);
                    failed.extend(before_and_behind_of(x(i), rounds, &mut out, &mut body));
                    (out, body)
                })
                .collect();
            let (outs, bodies): (Vec<u32>, Vec<Tallied>) = expected.into_iter().unzip();
            let input = field(n, x);
            versions(|version| {
                let what = format!("{n} by {rounds}, {version}");
                let (mut out, mut counted) = (field(n, |i| i as u32), field(n, |_| old));
                let told = before_and_behind(&input, rounds, &mut out, &mut counted);
                same(&what, &values(&out), |i| outs[i]);
                same(&what, &values(&counted), |i| bodies[i]);
                let start = n / 3;
                let mut out = field(n, |i| i as u32);
                let told_of = from_element(&input, start, rounds, &mut out).is_err();
                same(&what, &values(&out), |at| {
                    let Some(i) = at.checked_sub(start) else {
                        return at as u32;
                    };
                    let mut value = at as u32 + 1000;
                    for k in 0..rounds as u32 {
                        let bad = 5 + 2 * (k % 2);
                        if x(i) + k == bad {
                            break;
                        }
                        value += x(i) + k;
                    }
                    value
                });
                let stops = |i: usize| (0..rounds as u32).any(|k| x(i) + k == 5 + 2 * (k % 2));
                assert_eq!(told_of, (0..n - start).any(stops), "{what}");
                match told {
                    Ok(()) => assert_eq!(failed.len(), 0, "{what}"),
                    Err(swathe::Error::KernelFailure { count, message, .. }) => {
                        assert_eq!(count, failed.len(), "{what}");
                        // Both assertions stand in one line of one function: the least value.
                        let least = failed.iter().min().expect("a failure");
                        assert_eq!(message, format!("{least} is bad"), "{what}");
                    }
                    Err(error) => panic!("{what}: {error}"),
                }
            });
        }
    }
}

#[test]
fn divisions_end_their_own_iterations() {
    for [h, w] in [[0, 3], [1, 1], [3, 5], [5, 40], [2, 1000]] {
        for rounds in [0, 1, 20] {
            let x = |k: usize| match k % 37 {
                11 => 4,
                20 => 19,
                k => 21 + k as i32,
            };
            let mut failed = 0;
            let expected: Vec<(i32, i32)> = (0..h * w)
                .map(|at| {
                    let (mut out, mut last) = (at as i32 - 3, -1);
                    for k in 0..rounds {
                        if x(at) == k {
                            failed += 1;
                            return (out, last);
                        }
                        out += 60 / (x(at) - k);
                        last = k;
                    }
                    (out * 2, last)
                })
                .collect();
            let (outs, lasts): (Vec<i32>, Vec<i32>) = expected.into_iter().unzip();
            let grid = |of: &dyn Fn(usize) -> i32| {
                Field::from_fn(&Device::cpu(), [h, w], |[i, j]| of(i * w + j)).expect("memory")
            };
            let input = grid(&x);
            versions(|version| {
                let what = format!("{h} by {w}, {rounds} rounds, {version}");
                let (mut out, mut last) = (grid(&|k| k as i32), grid(&|_| -1));
                let told = by_divisions(&input, rounds as usize, &mut out, &mut last);
                same(&what, &values(&out), |i| outs[i]);
                same(&what, &values(&last), |i| lasts[i]);
                match told {
                    Ok(()) => assert_eq!(failed, 0, "{what}"),
                    Err(swathe::Error::KernelFailure { count, .. }) => assert_eq!(count, failed, "{what}"),
                    Err(error) => panic!("{what}: {error}"),
                }
                let [x, mut out] = [grid(&x), grid(&|k| k as i32)].map(|grid| grid.with_origin([-2, 5]).expect("room"));
                assert_eq!(from_origins(&x, rounds, &mut out).is_err(), failed > 0, "{what}");
                same(&what, &values(out.field()), |i| outs[i]);
            });
        }
    }
}
