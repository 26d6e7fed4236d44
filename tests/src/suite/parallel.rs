//! Parallel loops: what they run over, and what stands between them.

use ndarray::Array2;
use swathe::prelude::*;

use super::support::{SHAPES, SIZES, ended, equal, same, scatter, sources};

#[kernel]
fn rank_0(x: &mut Field<i32, 0>) {
    for _ in x.indices() {
        x[[]].atomic_add(2);
    }
    for p in x.indices() {
        x[p] += 3;
    }
    x[[]] *= 1;
}

#[kernel]
fn rank_0_named(x: &mut Field<i32, 0>, out: &mut Field<u64, 0>) {
    for p in x.indices() {
        x[p] *= 2;
    }
    for p in out.indices() {
        out[p] = x.len() as u64;
    }
}

#[kernel]
fn rank_1(x: &mut Field<u64>) {
    for i in x.indices() {
        x[i] = x[i] * 10 + i as u64;
    }
    for [i] in x.indices() {
        x[[i]] += 1;
    }
}

#[kernel]
fn rank_2(x: &mut Field<u64, 2>) {
    let [h, w] = x.shape();
    for [i, j] in x.indices() {
        x[[i, j]] = (i * 1000 + j) as u64;
    }
    for p in x.indices() {
        x[p] += (p[0] * w + p[1]) as u64 * 1_000_000 + h as u64;
    }
}

#[kernel]
fn rank_3(x: &mut Field<u64, 3>) {
    for [i, j, k] in x.indices() {
        x[[i, j, k]] = (i * 10_000 + j * 100 + k) as u64;
    }
    for p in x.indices() {
        let [i, _, k] = p;
        x[p] += (i * k) as u64 + x.shape()[1] as u64;
    }
}

#[kernel]
fn rank_4(x: &mut Field<u64, 4>) {
    for [a, b, c, d] in x.indices() {
        x[[a, b, c, d]] = (a * 1000 + b * 100 + c * 10 + d) as u64;
    }
    for p in x.indices() {
        x[p] *= 1 + p[3] as u64;
    }
}

#[kernel]
fn ranges(x: &mut Field<i64>, start: usize, end: usize, step: usize) {
    for i in start..end {
        x[i] += 1;
    }
    for i in (start..end).step_by(step) {
        x[i] += 10;
    }
    for i in 0..=end {
        x[i] += 100;
    }
    for i in (start..=end).step_by(3) {
        x[i] += 1000;
    }
    for i in end..start {
        x[i] += 10_000;
    }
}

#[kernel]
fn other_integers(x: &mut Field<i64>, y: &mut Field<i64>, first: i32, last: i32, by: u8) {
    for k in 0..last {
        x[k as usize] += k as i64;
    }
    for k in (3..=last - 1).step_by(2) {
        x[k as usize] -= 1000 * k as i64;
    }
    for k in 0..by {
        y[k as usize] = -(k as i64);
    }
    for k in 2i64..5 {
        y[k as usize] *= k + 10;
    }
    // Negative positions fit no index, but an atomic operation takes any that is computed.
    for k in first..last {
        y[(k - first) as usize % 4].atomic_add(k as i64);
    }
}

#[kernel]
fn ndranges(a: &mut Field<u64>, b: &mut Field<u64, 2>, c: &mut Field<u64, 3>) {
    let n = a.len();
    let [h, w] = b.shape();
    for [i] in ndrange([n]) {
        a[i] = i as u64 + 1;
    }
    for p in ndrange([h, w]) {
        b[p] = (p[0] * 100 + p[1]) as u64;
    }
    for [i, j] in ndrange([h, w]) {
        b[[i, j]] *= 2;
    }
    for [i, j, k] in ndrange([c.shape()[0], c.shape()[1], c.shape()[2]]) {
        c[[i, j, k]] = (i * 10_000 + j * 100 + k) as u64;
    }
    for p in ndrange([c.shape()[0], 1, c.shape()[2]]) {
        c[p] += 7;
    }
}

/// A loop over less than the field, and positions that are not named.
#[kernel]
fn parts(b: &mut Field<u64, 2>, rows: usize, columns: usize) {
    for [i, j] in ndrange([rows, columns]) {
        b[[i, j]] += 1;
    }
    for i in 0..rows {
        for j in 0..columns {
            b[[i, j]] += 10;
        }
    }
    for [_, j] in ndrange([3, columns]) {
        b[[0, j]].atomic_add(100);
    }
    for _ in 0..4 {
        b[[0, 0]].atomic_add(1000);
    }
}

/// Single elements at the top level, between loops.
#[kernel]
fn between(x: &mut Field<i32>, log: &mut Field<i32>) -> i32 {
    let n = x.len();
    let first = x[0];
    let mut last = x[n - 1];
    x[0] = last;
    x[n - 1] += first * 2;
    for i in x.indices() {
        x[i] += 1;
    }
    let middle = x[n / 2];
    if middle > 0 {
        log[0] = middle;
    } else {
        log[0] = -1;
        last += 1;
    }
    log[1] = x[0];
    let k = (n - 1) / 2;
    for i in 0..n {
        x[i] = x[i] * 2 + middle;
    }
    log[2] = x[k];
    log[2] -= 3;
    last + log[1]
}

#[kernel]
fn serial_loops(x: &mut Field<i64>, out: &mut Field<i64, 2>) -> i64 {
    for i in serial(1..x.len()) {
        x[i] += x[i - 1];
    }
    let mut alternating = 0;
    for i in serial((0..x.len()).rev()) {
        alternating = x[i] - alternating;
    }
    let mut found = -1;
    'rows: for [i, j] in serial(ndrange([out.shape()[0], 3])) {
        if j >= out.shape()[1] {
            continue;
        }
        out[[i, j]] = (i * 10 + j) as i64 + if i > 0 { out[[i - 1, j]] } else { 0 };
        if out[[i, j]] > 60 {
            found = out[[i, j]];
            break 'rows;
        }
    }
    for i in serial(x.indices()) {
        if i % 2 == 0 {
            continue;
        }
        alternating += 1;
    }
    let mut k = 0;
    while k * k < x.len() {
        k += 1;
    }
    alternating * 1000 + found + k as i64
}

#[kernel]
fn continues(x: &Field<i32>, out: &mut Field<i32>) {
    'each: for i in out.indices() {
        if x[i] < 0 {
            continue;
        }
        out[i] = 1;
        for k in 0..10 {
            if k * 10 > x[i] {
                continue 'each;
            }
            if k == 3 {
                continue;
            }
            out[i] += k;
        }
        out[i] += 1000;
    }
}

/// The number of the loop's iterations stays what it was when the loop began.
#[kernel]
fn extents_from_variables(x: &mut Field<i32>, n: usize) {
    let m = n;
    let n = 2;
    let n = n + 1;
    for i in 0..m {
        x[i] += 1;
        let n = i;
        if n > 3 {
            x[n] += 10;
        }
    }
    for i in 0..n {
        x[i] += 100;
    }
    let half = m / 2;
    let also = half;
    for k in 0..also {
        x[k] += 1000;
    }
}

/// Remainders are below the extents that they are remainders of, which those of `small` are compared with.
#[kernel]
fn periodic(x: &Field<u64, 2>, small: &Field<u64, 2>, out: &mut Field<u64, 2>) {
    let [h, w] = x.shape();
    for [i, j] in out.indices() {
        let mut sum = 0;
        for k in 0..3 {
            sum += x[[(i + h + 1 - k) % h, (j + 2 * w - k) % w]];
        }
        out[[i, j]] = 100 * sum + small[[(i + 2) % h, j % w]];
    }
}

/// All positions by one name: taken apart, copied, by number, in a branch, as a whole.
#[kernel]
fn by_one_name(u: &Field<i64, 2>, v: &mut Field<i64, 2>, sums: &mut Field<i64, 2>, axis: usize) {
    let [h, w] = u.shape();
    for p in v.indices() {
        let [i, j] = p;
        let below = [(i + 1) % h, j];
        v[p] = u[p] + 3 * u[below] - 7 * u[[p[0], (p[1] + 1).min(w - 1)]] + 1000 * p[axis] as i64;
    }
    for p in ndrange([h, w]) {
        let q = p;
        if q[0] > 0 {
            let [mut i, j] = q;
            i -= 1;
            sums[[i, j]].atomic_add(u[q]);
        } else {
            let [_, j] = p;
            sums[[h - 1, j]].atomic_add(11 * u[p]);
        }
    }
    for p in v.indices() {
        v[p] += sums[p];
    }
}

fn check_by_one_name(device: &Device, h: usize, w: usize) {
    let number = |i: usize, j: usize| scatter(i * w + j) as i64 % 100;
    for axis in 0..2 {
        let u = Field::from_fn(device, [h, w], |[i, j]| number(i, j)).unwrap();
        let (mut v, mut sums) = (
            Field::zeros(device, [h, w]).unwrap(),
            Field::zeros(device, [h, w]).unwrap(),
        );
        by_one_name(&u, &mut v, &mut sums, axis).unwrap();
        let expected = Array2::from_shape_fn((h, w), |(i, j)| {
            let own = number(i, j) + 3 * number((i + 1) % h, j) - 7 * number(i, (j + 1).min(w - 1));
            let sum = if i + 1 < h { number(i + 1, j) } else { 11 * number(0, j) };
            own + 1000 * [i, j][axis] as i64 + sum
        });
        assert_eq!(v.to_ndarray().unwrap(), expected, "{h} x {w}");
    }
}

pub fn check(device: &Device) {
    let mut x = Field::full(device, [], 3).unwrap();
    rank_0(&mut x).unwrap();
    let mut out = Field::zeros(device, []).unwrap();
    rank_0_named(&mut x, &mut out).unwrap();
    assert_eq!((x.get([]).unwrap(), out.get([]).unwrap()), (16, 1));
    for n in SIZES {
        let mut x = Field::from_fn(device, n, |[i]| 3 * i as u64).unwrap();
        rank_1(&mut x).unwrap();
        same("rank_1", &x, (0..n as u64).map(|i| 31 * i + 1).collect());
        check_ranges(device, n);
        check_other_integers(device, n);
        check_between(device, n);
        check_extents(device, n);
        check_continues(device, n);
    }
    for [h, w] in SHAPES {
        let mut x = Field::zeros(device, [h, w]).unwrap();
        rank_2(&mut x).unwrap();
        let expected = Array2::from_shape_fn((h, w), |(i, j)| (i * 1000 + j + (i * w + j) * 1_000_000 + h) as u64);
        assert_eq!(x.to_ndarray().unwrap(), expected);
        check_ndranges(device, h, w);
        check_parts(device, h, w);
        check_serial(device, h, w);
        check_by_one_name(device, h, w);
        if h * w > 0 {
            check_periodic(device, h, w);
        }
    }
    for shape in [[0, 2, 3], [2, 0, 1], [1, 1, 1], [2, 3, 5], [7, 1, 33], [11, 13, 17]] {
        let mut x = Field::zeros(device, shape).unwrap();
        rank_3(&mut x).unwrap();
        for [i, j, k] in ndrange(shape) {
            assert_eq!(
                x.get([i, j, k]).unwrap(),
                (i * 10_000 + j * 100 + k + i * k + shape[1]) as u64,
                "{shape:?}"
            );
        }
    }
    for shape in [[0, 2, 3, 1], [1, 1, 1, 1], [2, 3, 4, 5], [3, 1, 7, 2]] {
        let mut x = Field::zeros(device, shape).unwrap();
        rank_4(&mut x).unwrap();
        for [a, b, c, d] in ndrange(shape) {
            assert_eq!(
                x.get([a, b, c, d]).unwrap(),
                ((a * 1000 + b * 100 + c * 10 + d) * (1 + d)) as u64,
                "{shape:?}"
            );
        }
    }
}

fn check_periodic(device: &Device, h: usize, w: usize) {
    let make =
        |shape: [usize; 2], by: usize| Field::from_fn(device, shape, |[i, j]| (by * (31 * i + j + 1)) as u64).unwrap();
    let x = make([h, w], 1);
    for small in [[h, w], [h + 1, w], [h - 1, w], [h, w - 1]] {
        let (other, mut out) = (make(small, 1000), Field::zeros(device, [5, 33]).unwrap());
        let result = ended(device, periodic(&x, &other, &mut out));
        let mut failures = Vec::new();
        let mut expected = Array2::zeros((5, 33));
        for ((i, j), expected) in expected.indexed_iter_mut() {
            let at = [(i + 2) % h, j % w];
            if at[0] >= small[0] || at[1] >= small[1] {
                failures.push(at);
                continue;
            }
            let near = (0..3).map(|k| 31 * ((i + h + 1 - k) % h) + (j + 2 * w - k) % w + 1);
            *expected = (100 * near.sum::<usize>() + 1000 * (31 * at[0] + at[1] + 1)) as u64;
        }
        assert_eq!(out.to_ndarray().unwrap(), expected, "{h} {w} {small:?}");
        match (result, failures.iter().min()) {
            (Ok(()), None) => {}
            (Err(Error::OutOfBounds { field, index, .. }), Some(least)) => {
                assert_eq!((field, &index[..]), ("small", &least[..]), "{h} {w} {small:?}");
            }
            (result, least) => panic!("{h} {w} {small:?}: {result:?}, {least:?}"),
        }
    }
}

fn check_ranges(device: &Device, n: usize) {
    if n < 2 {
        return;
    }
    for (start, end, step) in [
        (0, n - 1, 1),
        (1, n - 1, 2),
        (n / 3, n / 2, 5),
        (n / 2, n / 2, 1),
        (n - 1, 0, 7),
    ] {
        let mut x = Field::zeros(device, n).unwrap();
        ranges(&mut x, start, end, step).unwrap();
        let mut expected = vec![0; n];
        let mut add = |positions: &mut dyn Iterator<Item = usize>, value| positions.for_each(|i| expected[i] += value);
        add(&mut (start..end), 1);
        add(&mut (start..end).step_by(step), 10);
        add(&mut (0..end + 1), 100);
        add(&mut (start..end + 1).step_by(3), 1000);
        add(&mut (end..start), 10_000);
        same("ranges", &x, expected);
    }
}

fn check_other_integers(device: &Device, n: usize) {
    let last = n as i32;
    let mut x = Field::zeros(device, n).unwrap();
    let mut y = Field::zeros(device, 9).unwrap();
    other_integers(&mut x, &mut y, -3, last, 7).unwrap();
    let odd = |k: i64| k >= 3 && k % 2 == 1;
    same(
        "other_integers",
        &x,
        (0..n as i64).map(|k| if odd(k) { -999 * k } else { k }).collect(),
    );
    let mut expected = vec![0, -1, -24, -39, -56, -5, -6, 0, 0];
    for k in -3..i64::from(last) {
        expected[(k + 3) as usize % 4] += k;
    }
    same("other_integers", &y, expected);
}

fn check_between(device: &Device, n: usize) {
    if n == 0 {
        return;
    }
    let start: Vec<i32> = (0..n).map(scatter).collect();
    let mut x = Field::from_slice(device, &start).unwrap();
    let mut log = Field::zeros(device, 3).unwrap();
    let got = between(&mut x, &mut log).unwrap();
    let mut values = start.clone();
    values[0] = start[n - 1];
    values[n - 1] += 2 * start[0];
    values.iter_mut().for_each(|v| *v += 1);
    let (middle, first) = (values[n / 2], values[0]);
    values.iter_mut().for_each(|v| *v = 2 * *v + middle);
    let expected = [if middle > 0 { middle } else { -1 }, first, values[(n - 1) / 2] - 3];
    equal("between", &log.to_vec().unwrap(), &expected);
    same("between", &x, values);
    assert_eq!(got, start[n - 1] + i32::from(middle <= 0) + first);
}

fn check_extents(device: &Device, n: usize) {
    if n < 3 {
        return;
    }
    let mut x = Field::zeros(device, n).unwrap();
    extents_from_variables(&mut x, n).unwrap();
    let expected = (0..n).map(|i| 1 + 10 * i32::from(i > 3) + 100 * i32::from(i < 3) + 1000 * i32::from(i < n / 2));
    same("extents_from_variables", &x, expected.collect());
    // What is true of the variable that shadows is not true of the one that counts.
    let error = ended(device, extents_from_variables(&mut x, n + 5)).unwrap_err();
    assert!(
        matches!(&error, Error::OutOfBounds { index, .. } if **index == [n]),
        "{error}"
    );
}

fn check_continues(device: &Device, n: usize) {
    let x = Field::from_fn(device, n, |[i]| scatter(i)).unwrap();
    let mut out = Field::full(device, n, -1).unwrap();
    continues(&x, &mut out).unwrap();
    let expected = (0..n).map(|i| match scatter(i) {
        ..0 => -1,
        x @ 90.. => x - x + 1 + 45 - 3 + 1000,
        x => 1 + (0..=x / 10).filter(|k| *k != 3).sum::<i32>(),
    });
    same("continues", &out, expected.collect());
}

fn check_ndranges(device: &Device, h: usize, w: usize) {
    let mut a = Field::zeros(device, w).unwrap();
    let mut b = Field::zeros(device, [h, w]).unwrap();
    let mut c = Field::zeros(device, [h, 2, w]).unwrap();
    ndranges(&mut a, &mut b, &mut c).unwrap();
    same("ndranges", &a, (1..=w as u64).collect());
    let expected = Array2::from_shape_fn((h, w), |(i, j)| 2 * (100 * i + j) as u64);
    assert_eq!(b.to_ndarray().unwrap(), expected);
    let expected = ndarray::Array3::from_shape_fn((h, 2, w), |(i, j, k)| (10_000 * i + 100 * j + k) as u64 + [7, 0][j]);
    assert_eq!(c.to_ndarray().unwrap(), expected);
}

fn check_parts(device: &Device, h: usize, w: usize) {
    if h == 0 || w == 0 {
        return;
    }
    for (rows, columns) in [(0, 0), (h, 0), (h, w), (h / 2, w.div_ceil(2)), (1, w)] {
        let mut b = Field::zeros(device, [h, w]).unwrap();
        parts(&mut b, rows, columns).unwrap();
        let expected = Array2::from_shape_fn((h, w), |(i, j)| {
            let inside = if i < rows && j < columns { 11 } else { 0 };
            inside + if i == 0 && j < columns { 300 } else { 0 } + if (i, j) == (0, 0) { 4000 } else { 0 }
        });
        assert_eq!(b.to_ndarray().unwrap(), expected);
    }
}

fn check_serial(device: &Device, h: usize, w: usize) {
    let n = 3 * h;
    let mut x = Field::from_fn(device, n, |[i]| i64::from(scatter(i))).unwrap();
    let mut out = Field::full(device, [h, w], -1).unwrap();
    let got = serial_loops(&mut x, &mut out).unwrap();
    let sums: Vec<i64> = (0..n)
        .scan(0, |s, i| {
            *s += i64::from(scatter(i));
            Some(*s)
        })
        .collect();
    let mut alternating = sums.iter().rev().fold(0, |a, s| s - a) + n as i64 / 2;
    let mut expected = Array2::from_elem((h, w), -1);
    let mut found = -1;
    'all: for i in 0..h {
        for j in 0..w.min(3) {
            expected[[i, j]] = (10 * (i * (i + 1) / 2) + (i + 1) * j) as i64;
            if expected[[i, j]] > 60 {
                found = expected[[i, j]];
                break 'all;
            }
        }
    }
    alternating = alternating * 1000 + found + (0..).find(|k| k * k >= n as i64).unwrap();
    same("serial_loops", &x, sums);
    assert_eq!(out.to_ndarray().unwrap(), expected);
    assert_eq!(got, alternating);
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        rank_0,
        rank_0_named,
        rank_1,
        rank_2,
        rank_3,
        rank_4,
        ranges,
        other_integers,
        ndranges,
        parts,
        between,
        serial_loops,
        continues,
        by_one_name,
        extents_from_variables,
        periodic
    ]
}
