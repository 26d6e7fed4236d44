//! Indices from data that are looked at before a block of iterations, against the same in plain Rust; with failures at the start, in the
//! middle, at the ends of blocks, and in iterations that the bounds of rows leave out.

// Of `wraps`.
#![allow(arithmetic_overflow)]

use swathe::prelude::*;
use swathe_tests_lanes::{field, same, values, versions};

/// Around one and several blocks of 256 iterations.
const SIZES: [usize; 9] = [0, 1, 3, 17, 255, 256, 257, 513, 1000];

/// A number below `n` that differs from that of the neighbours.
fn place(i: usize, n: usize) -> usize {
    (i.wrapping_mul(0x9e37_79b9) >> 5 & 0xffff) % n.max(1)
}

/// That the first access out of bounds, of so many, is told.
#[track_caller]
fn fails(result: swathe::Result<()>, expected: &[usize], all: usize, name: &str) {
    match result {
        Err(swathe::Error::OutOfBounds { index, count, .. }) => {
            assert_eq!((&*index, count), (expected, all), "{name}");
        }
        other => panic!("{other:?}, not the {all} failures, {name}"),
    }
}

#[kernel]
fn gather(at: &Field<i32>, x: &Field<u64>, out: &mut Field<u64>) {
    for i in out.indices() {
        out[i] += 1;
        let k = at[i] as usize;
        out[i] = x[k] + 1000;
    }
}

#[test]
fn a_gather_leaves_out_what_fails() {
    for n in SIZES {
        for bad in [
            vec![],
            vec![0],
            vec![n / 2],
            vec![n.saturating_sub(1)],
            vec![255, 256, n / 3],
        ] {
            let bad: Vec<usize> = bad.into_iter().filter(|i| *i < n).collect();
            for wrong in [-1, 300, i32::MIN, i32::MAX] {
                let at = |i: usize| if bad.contains(&i) { wrong } else { place(i, 300) as i32 };
                let (index, x) = (field(n, at), field(300, |k| 7 * k as u64));
                versions(|name| {
                    let mut out = field(n, |i| i as u64);
                    let result = gather(&index, &x, &mut out);
                    let expected: Vec<u64> = (0..n)
                        .map(|i| {
                            if bad.contains(&i) {
                                i as u64 + 1
                            } else {
                                7 * at(i) as u64 + 1000
                            }
                        })
                        .collect();
                    assert_eq!(values(&out), expected, "{n}, {bad:?}, {name}");
                    let mut all = bad.clone();
                    all.sort_unstable();
                    all.dedup();
                    if all.is_empty() {
                        result.unwrap();
                    } else {
                        fails(result, &[wrong as usize], all.len(), name);
                    }
                });
            }
        }
    }
}

#[kernel]
fn count(keys: &Field<i16>, bins: &mut Field<u32>) {
    for i in keys.indices() {
        bins[keys[i] as usize].atomic_add(1 + i as u32);
    }
}

#[test]
fn a_histogram_counts_the_others() {
    for n in SIZES {
        for bad in [None, Some(0), Some(n / 2)] {
            let key = |i: usize| if bad == Some(i) { -3 } else { place(i, 17) as i16 };
            let keys = field(n, key);
            versions(|name| {
                let mut bins = field(17, |k| k as u32);
                let result = count(&keys, &mut bins);
                let mut expected: Vec<u32> = (0..17).collect();
                for i in (0..n).filter(|i| bad != Some(*i)) {
                    expected[key(i) as usize] += 1 + i as u32;
                }
                assert_eq!(values(&bins), expected, "{n}, {bad:?}, {name}");
                match bad.filter(|i| *i < n) {
                    Some(_) => fails(result, &[-3_i16 as usize], 1, name),
                    None => result.unwrap(),
                }
            });
        }
    }
}

#[kernel]
fn product(start: &Field<u32>, column: &Field<u32>, value: &Field<i64>, x: &Field<i64>, y: &mut Field<i64>) {
    for r in y.indices() {
        y[r] = -1;
        let mut sum = 0;
        for k in start[r]..start[r + 1] {
            sum += value[k as usize] * x[column[k as usize] as usize];
        }
        y[r] = sum;
    }
}

struct Rows {
    start: Vec<u32>,
    column: Vec<u32>,
}

/// Rows of 0 to 6 elements.
fn matrix(n: usize) -> Rows {
    let (mut start, mut column) = (vec![0], Vec::new());
    for r in 0..n {
        column.extend((0..place(r, 7)).map(|k| place(8 * r + k, n.max(1)) as u32));
        start.push(column.len() as u32);
    }
    Rows { start, column }
}

/// The product, the first index out of bounds by place in the text, and how many rows fail.
fn reference(rows: &Rows, n: usize) -> (Vec<i64>, Option<usize>, usize) {
    let (mut failures, mut y) = (Vec::new(), Vec::new());
    for r in 0..n {
        let row = || -> Result<i64, (usize, usize)> {
            let start = *rows.start.get(r).ok_or((0, r))?;
            let end = *rows.start.get(r + 1).ok_or((1, r + 1))?;
            let mut sum = 0;
            for k in start..end {
                let c = *rows.column.get(k as usize).ok_or((2, k as usize))? as usize;
                sum += (3 * i64::from(k) + 1) * if c < n { 5 * c as i64 + 2 } else { return Err((3, c)) };
            }
            Ok(sum)
        };
        y.push(row().unwrap_or_else(|failure| {
            failures.push(failure);
            -1
        }));
    }
    (y, failures.iter().min().map(|(_, index)| *index), failures.len())
}

#[test]
fn rows_of_a_sparse_matrix() {
    for n in SIZES {
        let plain = matrix(n);
        let mut cases = vec![matrix(n)];
        // A column, the end of a row, and the number of rows.
        let mut broken = matrix(n);
        let middle = broken.column.len() / 2;
        if let Some(column) = broken.column.get_mut(middle) {
            *column = u32::MAX;
        }
        cases.push(broken);
        let mut broken = matrix(n);
        broken.start[n / 2] = plain.column.len() as u32 + 5;
        cases.push(broken);
        let mut broken = matrix(n);
        broken.start.pop();
        cases.push(broken);
        // Rows from the back to the front: all of them are empty but the ones that start again.
        let mut turned = matrix(n);
        turned.start.reverse();
        cases.push(turned);
        // Columns that no row has.
        let mut padded = matrix(n);
        for (r, start) in padded.start.iter_mut().enumerate() {
            *start =
                (*start).min((plain.column.len() / 2) as u32) + u32::from(r > n / 2) * (plain.column.len() / 2) as u32;
        }
        cases.push(padded);
        for (case, rows) in cases.iter().enumerate() {
            let (expected, first, failed) = reference(rows, n);
            let (start, column) = (
                field(rows.start.len(), |k| rows.start[k]),
                field(rows.column.len(), |k| rows.column[k]),
            );
            let (value, x) = (
                field(rows.column.len(), |k| 3 * k as i64 + 1),
                field(n, |c| 5 * c as i64 + 2),
            );
            versions(|name| {
                let mut y = field(n, |_| 0);
                let result = product(&start, &column, &value, &x, &mut y);
                let name = format!("{n} rows, case {case}, {name}");
                assert_eq!(values(&y), expected, "{name}");
                match first {
                    Some(first) => fails(result, &[first], failed, &name),
                    None => result.unwrap(),
                }
            });
        }
    }
}

#[kernel]
fn chained(a: &Field<u8>, b: &Field<i64>, x: &Field<f32>, out: &mut Field<f32>) {
    for i in out.indices() {
        let b = b[a[i] as usize];
        let a = x[b as usize + 1];
        out[i] = a;
    }
}

#[test]
fn an_index_of_an_index() {
    for n in SIZES {
        for (first, second) in [(0, 0), (200, 0), (0, -2), (0, 90), (200, 90)] {
            let a = |i: usize| {
                if first != 0 && i == n / 2 {
                    first
                } else {
                    place(i, 100) as u8
                }
            };
            let b = |k: usize| if k == 50 { second } else { place(k, 89) as i64 };
            let (fa, fb, x) = (field(n, a), field(100, b), field(90, |k| k as f32));
            versions(|name| {
                let mut out = field(n, |_| -1.0);
                let result = chained(&fa, &fb, &x, &mut out);
                let mut failures = Vec::new();
                let expected: Vec<f32> = (0..n)
                    .map(|i| {
                        let k = a(i) as usize;
                        let c = if k < 100 { (b(k) as usize).wrapping_add(1) } else { 0 };
                        if k >= 100 {
                            failures.push((0, k));
                        } else if c >= 90 {
                            failures.push((1, c));
                        } else {
                            return c as f32;
                        }
                        -1.0
                    })
                    .collect();
                let name = format!("{n}, {first}, {second}, {name}");
                assert_eq!(values(&out), expected, "{name}");
                match failures.iter().min() {
                    Some((_, index)) => fails(result, &[*index], failures.len(), &name),
                    None => result.unwrap(),
                }
            });
        }
    }
}

#[kernel]
fn two_axes(at: &Field<UVec2, 2>, x: &Field<u32, 2>, out: &mut Field<u32, 2>) -> u32 {
    let mut largest = 0;
    for [i, j] in out.indices() {
        let p = at[[i, j]];
        let [row, column] = [p.x as usize, p.y as usize];
        let at = [row, column];
        out[[i, j]] = x[at];
        largest = largest.max(x[[column, row]]);
    }
    largest
}

#[test]
fn two_axes_and_a_reduction() {
    let side = |h: usize, w: usize, bad: Option<[usize; 2]>| {
        let at = |k: usize| match bad {
            Some([i, j]) if k == i * w + j => UVec2::new(40, 41),
            _ => UVec2::new(place(k, 41) as u32, place(k + 1, 41) as u32),
        };
        let device = Device::cpu();
        let fat = Field::from_fn(&device, [h, w], |[i, j]| at(i * w + j)).unwrap();
        let x = Field::from_fn(&device, [41, 41], |[a, b]| (100 * a + b) as u32).unwrap();
        versions(|name| {
            let mut out = Field::full(&device, [h, w], 7).unwrap();
            let result = two_axes(&fat, &x, &mut out);
            let wrong = bad.map(|[i, j]| i * w + j);
            let expected: Vec<u32> = (0..h * w)
                .map(|k| if Some(k) == wrong { 7 } else { 100 * at(k).x + at(k).y })
                .collect();
            assert_eq!(out.to_vec().unwrap(), expected, "{h} x {w}, {bad:?}, {name}");
            match bad {
                Some(_) => fails(result.map(drop), &[40, 41], 1, name),
                None => {
                    let largest = (0..h * w).map(|k| 100 * at(k).y + at(k).x).max();
                    assert_eq!(result.unwrap(), largest.unwrap_or(0), "{h} x {w}, {name}");
                }
            }
        });
    };
    for [h, w] in [[0, 3], [3, 0], [1, 1], [3, 17], [5, 300], [300, 5], [2, 1000]] {
        side(h, w, None);
        if h * w > 0 {
            side(h, w, Some([h / 2, w / 2]));
            side(h, w, Some([h - 1, w - 1]));
        }
    }
}

/// Accesses that not every iteration comes to are no reason to look at their indices, nor are they covered by those that are looked at.
#[kernel]
fn sometimes(at: &Field<i32>, next: &Field<i32>, x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let k = at[i];
        if k < 0 {
            continue;
        }
        out[i] = x[k as usize];
        if next[i] >= 0 {
            out[i] += x[next[i] as usize];
        }
    }
}

#[test]
fn iterations_that_do_not_come() {
    for n in SIZES {
        for wrong in [-5, 1000] {
            let at = |i: usize| if i % 5 == 1 { -1 } else { place(i, 100) as i32 };
            let next = |i: usize| match i % 7 {
                2 => wrong,
                _ => place(i + 3, 100) as i32,
            };
            let (fat, fnext, x) = (field(n, at), field(n, next), field(100, |k| 3 * k as i32));
            versions(|name| {
                let mut out = field(n, |_| -9);
                let result = sometimes(&fat, &fnext, &x, &mut out);
                let mut failed = 0;
                let expected: Vec<i32> = (0..n)
                    .map(|i| match (at(i), next(i)) {
                        (-1, _) => -9,
                        (k, next) if next >= 100 => {
                            failed += 1;
                            3 * k
                        }
                        (k, next) => 3 * k + if next < 0 { 0 } else { 3 * next },
                    })
                    .collect();
                assert_eq!(values(&out), expected, "{n}, {wrong}, {name}");
                match failed {
                    0 => result.unwrap(),
                    _ => fails(result, &[1000], failed, name),
                }
            });
        }
    }
}

#[kernel]
fn edges(ends: &Field<[u32; 2]>, x: &Field<i32>, list: &Field<u16, 2>, out: &mut Field<i64>) {
    for e in ends.indices() {
        let [a, b] = ends[e];
        let n = x.len();
        let mut sum = 0;
        for k in 0..list.shape()[1] {
            let e = list[[e, k]] as usize;
            sum += x[e] as i64;
        }
        for k in (0..3).rev() {
            sum += x[n - 1 - k] as i64;
        }
        out[e] = sum * 1000 + (x[b as usize] - x[a as usize]) as i64;
    }
}

#[test]
fn names_in_blocks_and_several_loops() {
    for n in SIZES {
        for bad in [None, Some(n / 2)] {
            let x: Vec<i32> = (0..50).map(|k| k * k).collect();
            let list = |e: usize, k: usize| {
                if bad == Some(e) && k == 3 {
                    50
                } else {
                    place(5 * e + k, 50)
                }
            };
            let device = Device::cpu();
            let ends = field(n, |e| [place(e, 50) as u32, place(e + 9, 50) as u32]);
            let flist = Field::from_fn(&device, [n, 5], |[e, k]| list(e, k) as u16).unwrap();
            let fx = field(50, |k| x[k]);
            versions(|name| {
                let mut out = field(n, |_| -4);
                let result = edges(&ends, &fx, &flist, &mut out);
                let expected: Vec<i64> = (0..n)
                    .map(|e| {
                        if bad == Some(e) {
                            return -4;
                        }
                        let sum = (0..5).map(|k| x[list(e, k)]).sum::<i32>() + x[49] + x[48] + x[47];
                        i64::from(sum) * 1000 + i64::from(x[place(e + 9, 50)] - x[place(e, 50)])
                    })
                    .collect();
                assert_eq!(values(&out), expected, "{n}, {bad:?}, {name}");
                match bad.filter(|e| *e < n) {
                    Some(_) => fails(result, &[50], 1, name),
                    None => result.unwrap(),
                }
            });
        }
    }
}

/// Of indices that grow evenly the ends of a block are looked at.
#[kernel]
fn even(x: &Field<i32>, from: i32, n: usize, by: usize, out: &mut Field<i32>) {
    for i in from..n as i32 {
        out[[i as usize]] = x[[i as usize + by]] - x[[3 * (i as usize) + 1]] + x[[n + 1 - i as usize]];
    }
}

#[test]
fn indices_that_grow_evenly() {
    for n in SIZES {
        for (from, by, len) in [
            (0, 2, 3 * n + 2),
            (0, 2, (2 * n).max(n + 2)),
            (0, 3 * n, 4 * n),
            (0, 3 * n + 5, 4 * n),
            (-2, 2, 3 * n + 2),
            (0, usize::MAX, 3 * n + 2),
            (0, usize::MAX - 299, 3 * n + 2),
        ] {
            let x = field(len, |k| (k * k) as i32);
            versions(|name| {
                let mut out = field(n, |_| -7);
                let result = even(&x, from, n, by, &mut out);
                let mut failures = Vec::new();
                let mut expected = vec![-7; n];
                for i in from..n as i32 {
                    let u = i as usize;
                    let indices = [
                        u.wrapping_add(by),
                        u.wrapping_mul(3).wrapping_add(1),
                        (n + 1).wrapping_sub(u),
                    ];
                    match (0..3).find(|k| indices[*k] >= len) {
                        Some(k) => failures.push((k, indices[k])),
                        None if u < n => {
                            let [a, b, c] = indices.map(|k| (k * k) as i32);
                            expected[u] = a - b + c;
                        }
                        None => failures.push((3, u)),
                    }
                }
                let name = format!("{n} from {from}, {by}, {len}, {name}");
                assert_eq!(values(&out), expected, "{name}");
                match failures.iter().min() {
                    Some((_, index)) => fails(result, &[*index], failures.len(), &name),
                    None => result.unwrap(),
                }
            });
        }
    }
}

/// Of a type that only the last line decides, in which the sum wraps.
#[kernel]
fn wraps(x: &Field<i32>, out: &mut Field<i32>, narrow: &mut Field<i8>) {
    for i in out.indices() {
        let a = 100;
        let b = a;
        out[i] = x[(a + b) as usize];
        narrow[i] = b;
    }
}

#[test]
fn types_are_those_of_the_kernel() {
    for n in SIZES {
        let x = field(300, |k| k as i32);
        versions(|name| {
            let (mut out, mut narrow) = (field(n, |_| 3), field(n, |_| 4));
            let result = wraps(&x, &mut out, &mut narrow);
            assert_eq!(values(&out), vec![3; n], "{name}");
            assert_eq!(values(&narrow), vec![4; n], "{name}");
            match n {
                0 => result.unwrap(),
                _ => fails(result, &[-56_i8 as usize], n, name),
            }
        });
    }
}

/// A literal without suffix in each place of an index: its type is that of the access.
#[kernel]
fn shifted(x: &Field<u32>, t: &Field<u32, 2>, s: &Field<u32>, h: &mut Field<u32>, out: &mut Field<u64>) {
    for i in s.indices() {
        h[1 << s[i]].atomic_add(1);
    }
    for i in out.indices() {
        out[i] += 1;
        out[i] = x[1 << s[i]] as u64;
        out[i] += t[[1 << s[i], i]] as u64;
    }
}

/// The variable's type is that of its use, not of its place.
#[kernel]
fn inferred(x: &Field<u32>, s: &Field<u32>, out: &mut Field<u64>, got: &mut Field<u32>) {
    for i in out.indices() {
        let k: _ = 1 << s[i];
        out[i] = k;
        let (m, [j]): (_, [_; 1]) = (1 << s[i], [1 + 1]);
        got[i] = x[k as usize + j] + x[m];
    }
}

#[test]
fn literals_are_of_one_type() {
    for n in SIZES {
        for bad in [32, 40, 63] {
            let wrong = |i: usize| i % 97 == 50;
            let shift = |i: usize| if wrong(i) { bad } else { i as u32 % 9 };
            let (x, s) = (field(600, |k| 3 * k as u32), field(n, shift));
            let mut t = Field::<u32, 2>::zeros(&Device::cpu(), [300, n]).unwrap();
            t.fill(7).unwrap();
            let all = (0..n).filter(|i| wrong(*i)).count();
            versions(|name| {
                let (mut h, mut out) = (field(300, |_| 0_u32), field(n, |i| i as u64));
                let mut counts = vec![0; 300];
                (0..n).filter(|i| !wrong(*i)).for_each(|i| counts[1 << shift(i)] += 1);
                let result = shifted(&x, &t, &s, &mut h, &mut out);
                assert_eq!(values(&h), counts, "{n}, {bad}, {name}");
                let expected = |i: usize| match wrong(i) {
                    true => i as u64 + 1,
                    false => (3 << shift(i)) + 7,
                };
                assert_eq!(
                    values(&out),
                    (0..n).map(expected).collect::<Vec<_>>(),
                    "{n}, {bad}, {name}"
                );
                let (mut out, mut got) = (field(n, |_| 0_u64), field(n, |_| 1_u32));
                let inferred = inferred(&x, &s, &mut out, &mut got);
                assert_eq!(
                    values(&out),
                    (0..n).map(|i| 1 << shift(i)).collect::<Vec<u64>>(),
                    "{n}, {bad}, {name}"
                );
                let expected = |i: usize| if wrong(i) { 1 } else { (6 << shift(i)) + 6 };
                assert_eq!(
                    values(&got),
                    (0..n).map(expected).collect::<Vec<_>>(),
                    "{n}, {bad}, {name}"
                );
                if all == 0 {
                    result.unwrap();
                    inferred.unwrap();
                } else {
                    fails(result, &[1 << bad], 2 * all, name);
                    fails(inferred, &[(1 << bad) + 2], all, name);
                }
            });
        }
    }
}

/// A position's coefficients on both axes add up to 1, and only one of the two moves in a row.
#[kernel]
fn skewed(x: &Field<u32>, out: &mut Field<u32, 2>) {
    for [i, j] in out.indices() {
        out[[i, j]] = x[4611686018427387904 * j - 4611686018427387903 * i];
    }
}

#[test]
fn positions_that_do_not_move_cancel_nothing() {
    for n in SIZES {
        versions(|name| {
            let (x, mut out) = (
                field(2000, |k| 5 * k as u32),
                Field::zeros(&Device::cpu(), [2, n]).unwrap(),
            );
            out.fill(9).unwrap();
            let result = skewed(&x, &mut out);
            let at = |i: usize, j: usize| (1_usize << 62).wrapping_mul(j).wrapping_sub(((1 << 62) - 1) * i);
            let all = (0..2).flat_map(|i| (0..n).map(move |j| (i, j)));
            let expected = all.map(|(i, j)| if at(i, j) < 2000 { 5 * at(i, j) as u32 } else { 9 });
            let got: Vec<u32> = out.to_vec().unwrap();
            assert_eq!(got, expected.collect::<Vec<_>>(), "{n}, {name}");
            assert_eq!(result.is_err(), n > 0, "{n}, {name}");
        });
    }
}

#[derive(Element, Clone, Copy)]
struct Factor {
    by: u32,
}

/// An operator of the user's: it is no sum, and may fail.
#[func]
impl std::ops::Add<Factor> for usize {
    type Output = usize;

    fn add(self, factor: Factor) -> usize {
        assert!(factor.by < 100, "{} is too much", factor.by);
        self * factor.by as usize
    }
}

#[kernel]
fn scaled(x: &Field<u32>, factor: Factor, factors: &Field<Factor>, out: &mut Field<u32>) {
    for i in out.indices() {
        out[i] = x[i + factor];
        out[i] += x[2_usize + factors[i]];
    }
}

#[test]
fn operators_of_the_users_run_in_their_iteration() {
    for n in SIZES {
        versions(|name| {
            let factors = field(n, |i| Factor {
                by: if i % 90 == 40 { 100 } else { i as u32 % 90 },
            });
            let (x, mut out) = (field(700, |k| k as u32), field(n, |_| 1_u32));
            let result = scaled(&x, Factor { by: 3 }, &factors, &mut out);
            let expected = |i: usize| match (3 * i < 700, i % 90 == 40) {
                (false, _) => 1,
                (true, true) => 3 * i as u32,
                (true, false) => 3 * i as u32 + 2 * (i as u32 % 90),
            };
            assert_eq!(values(&out), (0..n).map(expected).collect::<Vec<_>>(), "{n}, {name}");
            assert_eq!(result.is_err(), n > 40, "{n}, {name}");
        });
    }
}

#[func]
impl std::ops::Mul for Factor {
    type Output = Factor;

    fn mul(self, factor: Factor) -> Factor {
        assert!(self.by % 90 != 40, "{} is too much", self.by);
        Factor {
            by: self.by * factor.by,
        }
    }
}

#[func]
impl std::ops::Add for Factor {
    type Output = Factor;

    fn add(self, factor: Factor) -> Factor {
        Factor {
            by: self.by + factor.by,
        }
    }
}

/// A product in a sum.
#[kernel]
fn multiplied(x: &Field<u32>, factor: Factor, factors: &Field<Factor>, out: &mut Field<u32>) {
    for i in out.indices() {
        let q = factors[i] * factor + factor;
        let r = factor + factors[i] * factor;
        out[i] = x[q.by as usize] + x[r.by as usize];
    }
}

#[test]
fn products_of_the_users_run_in_their_iteration() {
    for n in SIZES {
        versions(|name| {
            let factors = field(n, |i| Factor { by: i as u32 });
            let (x, mut out) = (field(1001, |k| k as u32), field(n, |_| 1_u32));
            let result = multiplied(&x, Factor { by: 1 }, &factors, &mut out);
            let expected = |i: usize| if i % 90 == 40 { 1 } else { 2 * (i as u32 + 1) };
            assert_eq!(values(&out), (0..n).map(expected).collect::<Vec<_>>(), "{n}, {name}");
            let failures = (0..n).filter(|i| i % 90 == 40).count();
            match result {
                Err(swathe::Error::KernelFailure { count, .. }) => assert_eq!(count, failures, "{n}, {name}"),
                other => assert!(other.is_ok() && failures == 0, "{n}, {name}"),
            }
        });
    }
}

/// A trait of all types, whose methods by value come before all methods by reference in rustc's search. Code that is generated calls none.
mod anyones {
    use swathe::prelude::*;

    macro_rules! taken {
        ($($name:ident)*) => {
            #[allow(dead_code, clippy::wrong_self_convention)]
            trait Anyones: Sized {
                $(fn $name(self) {})*
            }

            impl<T> Anyones for T {}
        };
    }

    taken! {
        access access_mut address all alone any arg argmax argmin array array_shape as_member as_mut_ptr as_ptr as_raw at
        below bit_and bit_or block blocks borrowed bytes check check_any claim clear clone close copy data device duplicate element elements eq export
        extreme fault field field_mut fill first_share flat flush forget get get_mut get_unchecked get_unchecked_mut id import index index_mut
        insert inside into is_alone is_apart is_empty is_host is_none is_read_only is_some is_whole is_written item iter join keep lanes largest last
        launch launch_arg launch_arg_mut length lengths live load locate map max memory memory_start min name ne next not_empty not_found
        not_of not_of_rank noted number numbers of offset offsets origin own part parts place planes pointer prepare product ranges rank read record
        region replays run scalars scan select serial serialize set shape share shared shift size slice slice_mut split spread start store strides strip
        sum take to_owned to_string turn typed unshare unwrap uses uses_mut value version view view_mut with_layout work write write_back
    }

    #[derive(Element, Clone, Copy, Debug, PartialEq)]
    pub struct Body {
        pub at: Vec3,
        pub speed: f32,
        pub cell: u32,
        pub kinds: [u32; 2],
    }

    #[derive(Element, Clone, Copy, Debug, PartialEq)]
    pub struct Params {
        pub scale: f32,
        pub cells: u32,
    }

    #[func]
    fn of_cell(count: u64, p: Params, k: u32) -> u64 {
        assert!(k < p.cells, "no such cell");
        count * 2
    }

    #[kernel]
    #[allow(clippy::too_many_arguments)]
    pub fn all_forms(
        bodies: &mut Field<Body>,
        grid: &Field<u64, 2>,
        at: &Field<u32>,
        counts: &mut Field<u32>,
        twice: &Field<u64>,
        out: &mut Field<u64>,
        p: Params,
    ) -> (u64, f32, i64) {
        let (mut sum, mut largest, mut steps) = (0, f32::NEG_INFINITY, 0_i64);
        let weights = [0.25_f32, 0.5, 0.25];
        for i in bodies.indices() {
            let k = at[i] as usize;
            let cell = [k % 3, k / 3];
            let mut weight = 0.0;
            for w in 0..3 {
                weight += weights[w];
            }
            bodies[i].speed += weight * p.scale;
            bodies[i].at = bodies[i].at * 2.0;
            bodies[i].cell = k as u32;
            bodies[i].kinds[k % 2] = at[i];
            counts[k].atomic_add(1);
            out[i] = grid[cell] + of_cell(twice[k], p, at[i]);
            sum += out[i];
            largest = largest.max(bodies[i].speed);
            let mut left = k;
            while left > 0 {
                left /= 2;
                steps += 1;
            }
        }
        for [i, j] in grid.indices() {
            if i == j {
                counts[i].atomic_max(7);
            }
        }
        (sum, largest, steps)
    }
}

#[test]
fn methods_by_value_are_not_called() {
    use anyones::{Body, Params};
    for n in SIZES {
        versions(|name| {
            let body = |i: usize| Body {
                at: Vec3::new(i as f32, 1.0, -(i as f32)),
                speed: i as f32,
                cell: 1_000_000,
                kinds: [70, 71],
            };
            let cell = |i: usize| place(i, 9);
            let (mut bodies, at, mut out) = (field(n, body), field(n, |i| cell(i) as u32), field(n, |_| 0_u64));
            let (mut counts, twice) = (field(9, |_| 0_u32), field(9, |k| 100 * k as u64));
            let grid = Field::<u64, 2>::zeros(&Device::cpu(), [3, 3]).unwrap();
            let p = Params { scale: 2.0, cells: 9 };
            let result = anyones::all_forms(&mut bodies, &grid, &at, &mut counts, &twice, &mut out, p).unwrap();
            let outs = (0..n).map(|i| 200 * cell(i) as u64).collect::<Vec<_>>();
            let largest = (0..n).map(|i| i as f32 + 2.0).fold(f32::NEG_INFINITY, f32::max);
            let steps = (0..n).map(|i| i64::from(usize::BITS - cell(i).leading_zeros())).sum();
            assert_eq!(result, (outs.iter().copied().sum(), largest, steps), "{n}, {name}");
            assert_eq!(values(&out), outs, "{n}, {name}");
            let expected = (0..n).map(|i| {
                let mut kinds = [70, 71];
                kinds[cell(i) % 2] = cell(i) as u32;
                let at = Vec3::new(2.0 * i as f32, 2.0, -2.0 * i as f32);
                Body {
                    at,
                    speed: i as f32 + 2.0,
                    cell: cell(i) as u32,
                    kinds,
                }
            });
            assert_eq!(values(&bodies), expected.collect::<Vec<_>>(), "{n}, {name}");

            let count = |k| (0..n).filter(|i| cell(*i) == k).count() as u32;
            let expected = (0..9).map(|k| if k < 3 { count(k).max(7) } else { count(k) });
            assert_eq!(values(&counts), expected.collect::<Vec<_>>(), "{n}, {name}");

            // Too far.
            let at = field(n, |i| if i == n / 2 { 9 } else { cell(i) as u32 });
            let result = anyones::all_forms(&mut bodies, &grid, &at, &mut counts, &twice, &mut out, p);
            assert_eq!(result.is_err(), n > 0, "{n}, {name}");
        });
    }
}

/// What an assertion keeps in bounds is not read before it.
#[kernel]
fn asserted(a: &Field<u32>, b: &Field<u32>, x: &Field<i64>, y: &mut Field<i64>) {
    for i in y.indices() {
        let k = a[i] as usize;
        assert!(k < b.len());
        let m = b[k] as usize;
        y[i] = x[m];
    }
}

#[test]
fn what_an_assertion_guards_stays_behind_it() {
    versions(|name| {
        for n in [1, 17, 1000] {
            let (b, x) = (field(7, |k| 6 - k as u32), field(7, |k| 10 * k as i64));
            let mut y = field(n, |_| -1);
            asserted(&field(n, |i| i as u32 % 7), &b, &x, &mut y).unwrap();
            same(name, &values(&y), |i| 10 * (6 - i as i64 % 7));
            let mut y = field(n, |_| -1);
            let far = field(n, |i| if i % 5 == 0 { u32::MAX - 3 } else { i as u32 % 7 });
            assert!(asserted(&far, &b, &x, &mut y).is_err(), "{name}");
            same(
                name,
                &values(&y),
                |i| if i % 5 == 0 { -1 } else { 10 * (6 - i as i64 % 7) },
            );
        }
    });
}

/// Literals that are other numbers in the type of what they are compared with, and floats that look like integers.
#[kernel]
#[allow(overflowing_literals)]
fn other_numbers(at: &Field<f32>, x: &Field<i64>, y: &mut Field<i64>, case: u32) {
    for i in y.indices() {
        let k = at[i] as i8;
        let r = at[i] as f32;
        y[i] = -1;
        if case == 0 && k >= 200 && k < x.len() as i8 {
            y[i] = x[k as usize];
        }
        if case == 1 && (r as usize) < x.len() {
            y[i] = x[(r + 16777216f32 - 16777216f32) as usize];
        }
        if case == 2 && !(r >= x.len() as f32) && !(r < 0f32) {
            y[i] = x[r as usize];
        }
        let wide = at[i] as usize;
        if case == 3 && wide >= 0 && wide < x.len() {
            y[i] = x[wide.wrapping_sub(0) - 9223372036854775807 - 1];
        }
    }
}

#[test]
fn literals_of_conditions_have_the_types_of_rust() {
    versions(|name| {
        for (case, at, len) in [(0, -10.0, 50), (1, 9.4, 10), (2, f32::NAN, 0)] {
            let x = field(len, |k| k as i64);
            let mut y = field(3, |_| 0);
            assert!(
                other_numbers(&field(3, |_| at), &x, &mut y, case).is_err(),
                "{name}, {case}"
            );
        }
    });
}

/// A place that the loop changes behind a condition is not kept in front of it.
#[kernel]
fn kept_behind(at: &Field<u32>, a: &Field<f32>, w: &mut Field<f32, 2>, n: usize, m: usize) {
    for i in at.indices() {
        let [k, l] = [at[i] as usize, i * n];
        let mut s = k as f32;
        for j in 0..m {
            s += a[j];
        }
        if l < w.shape()[1] {
            w[[i, l]] += s;
        }
    }
}

#[test]
fn places_behind_conditions_are_kept_there() {
    versions(|name| {
        let (at, a) = (field(100, |i| i as u32), field(40, |_| 1.0));
        let mut w = Field::full(&Device::cpu(), [100, 5], 0.5).unwrap();
        kept_behind(&at, &a, &mut w, 1 << 40, 40).unwrap();
        same(name, &values(&w), |e| if e == 0 { 40.5 } else { 0.5 });
    });
}
