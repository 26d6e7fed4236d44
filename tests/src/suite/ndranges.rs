//! `ndrange` of ranges: parts of grids, in parallel and in order.

use ndarray::{Array2, Array3};
use swathe::prelude::*;

use super::support::{SHAPES, SIZES, ended, field, same, scatter, sources};

#[kernel]
fn inside(u: &Field<i32, 2>, v: &mut Field<i32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in ndrange([1..h - 1, 1..w - 1]) {
        v[[i, j]] = u[[i - 1, j]] + 2 * u[[i + 1, j]] + 3 * u[[i, j - 1]] + 5 * u[[i, j + 1]];
    }
}

/// All positions by one name, and parts of it.
#[kernel]
fn whole(u: &Field<i32, 2>, v: &mut Field<i32, 2>, top: usize) -> i32 {
    let [h, w] = u.shape();
    let mut total = 0;
    for p in ndrange([top..h, 0..w / 2]) {
        let [i, j] = p;
        v[p] += 10 * u[[p[0], p[1] + w - w / 2]];
        v[[i, j]] *= 2;
        let copy = p;
        total += v[copy] % 7;
    }
    total
}

/// Some positions without a name; ends of other types; a range that may be turned around.
#[kernel]
fn slabs(x: &Field<u32>, v: &mut Field<i32, 3>, sums: &mut Field<i64>) {
    let [a, b, c] = v.shape();
    let (from, to) = (x[0] as usize, x[1] as usize);
    for [i, j, k] in ndrange([from..to, b / 2..b, 0..c]) {
        v[[i, j, k]] = (100 * i + 10 * j + k) as i32;
    }
    for [i, _, _] in ndrange([from..to, 0..2, 1..4]) {
        sums[i].atomic_add(v[[i, b - 1, c - 1]] as i64);
    }
    for _ in ndrange([0..a, 5..7]) {
        sums[0].atomic_add(1);
    }
}

#[kernel]
fn line(x: &mut Field<i32>, from: usize, to: usize) {
    for i in ndrange([from..to]) {
        x[i] = 2 * i as i32;
    }
    for [k] in ndrange([0..x.len()]) {
        x[k] += 1;
    }
}

/// In order: within a parallel loop, and in the kernel itself.
#[kernel]
fn in_order(u: &Field<i32, 2>, out: &mut Field<i64>, path: &mut Field<i64>) {
    let [h, w] = u.shape();
    for i in out.indices() {
        let mut sum = 0;
        'all: for [a, b] in ndrange([i % 3..h, 1..w]) {
            if a == b {
                continue;
            }
            if sum > 400 {
                break 'all;
            }
            sum = sum * 3 % 1000 + u[[a, b]] as i64 + i as i64;
        }
        for p in ndrange([1..3, i..i + 2]) {
            sum += (p[0] * 10 + p[1]) as i64;
        }
        out[i] = sum + walked(i);
    }
    for [a, b] in serial(ndrange([0..h, 1..w])) {
        path[b] = path[b - 1] * 3 % 1000 + u[[a, b]] as i64;
    }
}

#[func]
fn walked(n: usize) -> i64 {
    let mut last = 0;
    for [a, b] in ndrange([n..n + 2, 0..3]) {
        last = last * 5 % 77 + (a * b) as i64;
    }
    last
}

#[kernel]
fn beyond(v: &mut Field<i32, 2>, from: usize, to: usize) {
    for [i, j] in ndrange([0..2, from..to]) {
        v[[i, j]] = 5;
    }
}

#[kernel]
fn interior(u: &Field<i32, 2>, v: &mut Field<i32, 2>, width: usize) -> i64 {
    let mut total = 0;
    for [i, j] in u.interior(1) {
        v[[i, j]] += u[[i - 1, j]] + 2 * u[[i + 1, j]] + 3 * u[[i, j - 1]] + 5 * u[[i, j + 1]];
    }
    for p in v.interior(width + 1) {
        v[p] *= 3;
        total += (p[0] * 100 + p[1]) as i64;
    }
    total
}

#[kernel]
fn interior_of_others(x: &mut Field<i32>, v: &mut Field<i32, 3>, path: &mut Field<i64>) {
    for i in x.interior(2) {
        x[i] = 2 * i as i32;
    }
    for [_, j, k] in serial(v.interior(0)) {
        path[0] += (10 * j + k) as i64;
    }
    for [i, j, k] in v.interior(1) {
        v[[i, j, k]] = (100 * i + 10 * j + k) as i32;
    }
    for m in path.indices() {
        for p in serial(v.interior(1)) {
            path[m] = path[m] * 3 % 1000 + v[p] as i64;
        }
    }
}

/// Loops in loops over parts of grids, each behind what it is made of.
#[kernel]
fn nested(x: &Field<i32>, out: &mut Field<i32>, v: &mut Field<i32, 2>, n: usize) {
    for i in x.interior(1) {
        let mut sum = 0;
        for a in 0..3 {
            for [b] in ndrange([a..n + 1]) {
                sum = sum * 5 % 1009 + x[i + a - 1] + b as i32;
            }
        }
        out[i] = sum;
    }
    for [i, j] in ndrange([1..n + 1, n..n + 2]) {
        for _ in serial(x.interior(n)) {
            v[[i, j]] += 1;
        }
    }
}

fn check_nested(device: &Device) {
    for len in [0_usize, 1, 2, 3, 17] {
        let n = 2;
        let x = field(device, &(0..len).map(scatter).collect::<Vec<i32>>());
        let mut out = Field::full(device, len, -1).unwrap();
        let mut v = Field::full(device, [4, 5], 7).unwrap();
        nested(&x, &mut out, &mut v, n).unwrap();
        let sum = |i: usize| {
            let mut sum = 0;
            for a in 0..3 {
                for b in a..n + 1 {
                    sum = sum * 5 % 1009 + scatter(i + a - 1) + b as i32;
                }
            }
            sum
        };
        let inner = |i: usize| if i > 0 && i + 1 < len { sum(i) } else { -1 };
        same("nested", &out, (0..len).map(inner).collect());
        let more = len.saturating_sub(2 * n) as i32;
        let expected = Array2::from_shape_fn((4, 5), |(i, j)| {
            if (1..=n).contains(&i) && (n..n + 2).contains(&j) {
                7 + more
            } else {
                7
            }
        });
        assert_eq!(v.to_ndarray().unwrap(), expected, "nested");
    }
}

fn check_interior(device: &Device, [h, w]: [usize; 2]) {
    let at = |i: usize, j: usize| scatter(i * 40 + j);
    let start = Array2::from_shape_fn((h, w), |(i, j)| at(i, j));
    let u = Field::from_ndarray(device, &start).unwrap();
    let inside = |i: usize, n: usize, width: usize| i >= width && i + width < n;
    for width in [0, 1, 2, 40] {
        let mut v = Field::full(device, [h, w], 77).unwrap();
        let total = interior(&u, &mut v, width).unwrap();
        let mut sum = 0;
        let expected = Array2::from_shape_fn((h, w), |(i, j)| {
            let mut value = 77;
            if inside(i, h, 1) && inside(j, w, 1) {
                value += at(i - 1, j) + 2 * at(i + 1, j) + 3 * at(i, j - 1) + 5 * at(i, j + 1);
            }
            if inside(i, h, width + 1) && inside(j, w, width + 1) {
                value *= 3;
                sum += (i * 100 + j) as i64;
            }
            value
        });
        assert_eq!(
            (v.to_ndarray().unwrap(), total),
            (expected, sum),
            "interior, {h} x {w}, {width}"
        );
    }
    for n in [0, 1, 3, 5, 17] {
        let mut x = Field::full(device, n, -1).unwrap();
        let mut v = Field::full(device, [n, h, w], 2).unwrap();
        let mut path = Field::full(device, 3, 0_i64).unwrap();
        interior_of_others(&mut x, &mut v, &mut path).unwrap();
        let line = |i: usize| if inside(i, n, 2) { 2 * i as i32 } else { -1 };
        assert_eq!(x.to_vec().unwrap(), (0..n).map(line).collect::<Vec<_>>());
        let of = |(i, j, k): (usize, usize, usize)| match inside(i, n, 1) && inside(j, h, 1) && inside(k, w, 1) {
            true => (100 * i + 10 * j + k) as i32,
            false => 2,
        };
        let expected = Array3::from_shape_fn((n, h, w), of);
        assert_eq!(v.to_ndarray().unwrap(), expected);
        let all = expected.indexed_iter().map(|((_, j, k), _)| (10 * j + k) as i64).sum();
        let path_of = |first: i64| {
            let inner = expected
                .indexed_iter()
                .filter(|((i, j, k), _)| inside(*i, n, 1) && inside(*j, h, 1) && inside(*k, w, 1));
            inner.fold(first, |value, (_, v)| value * 3 % 1000 + i64::from(*v))
        };
        assert_eq!(path.to_vec().unwrap(), [path_of(all), path_of(0), path_of(0)]);
    }
}

pub fn check(device: &Device) {
    check_empty(device);
    check_shapes(device);
    for [h, w] in SHAPES {
        let at = |i: usize, j: usize| scatter(i * 40 + j);
        let start = Array2::from_shape_fn((h, w), |(i, j)| at(i, j));
        let u = Field::from_ndarray(device, &start).unwrap();
        if h > 0 && w > 0 {
            let mut v = Field::full(device, [h, w], 77).unwrap();
            inside(&u, &mut v).unwrap();
            let expected = Array2::from_shape_fn((h, w), |(i, j)| match (i, j) {
                _ if i == 0 || j == 0 || i + 1 >= h || j + 1 >= w => 77,
                _ => at(i - 1, j) + 2 * at(i + 1, j) + 3 * at(i, j - 1) + 5 * at(i, j + 1),
            });
            assert_eq!(v.to_ndarray().unwrap(), expected, "inside");
        }
        for top in [0, 1, h, h + 3] {
            let mut v = Field::full(device, [h, w], 3).unwrap();
            let total = whole(&u, &mut v, top).unwrap();
            let new = |i: usize, j: usize| 2 * (3 + 10 * at(i, j + w - w / 2));
            let expected = Array2::from_shape_fn((h, w), |(i, j)| if i >= top && j < w / 2 { new(i, j) } else { 3 });
            assert_eq!(v.to_ndarray().unwrap(), expected, "whole");
            let all = (top..h).flat_map(|i| (0..w / 2).map(move |j| (i, j)));
            assert_eq!(total, all.map(|(i, j)| new(i, j) % 7).sum::<i32>());
        }
        check_slabs(device, [h, w]);
        check_interior(device, [h, w]);
        let mut out = Field::full(device, 5, 0_i64).unwrap();
        let mut path = Field::full(device, w.max(1), 2_i64).unwrap();
        in_order(&u, &mut out, &mut path).unwrap();
        let expected = |i: usize| {
            let mut sum = 0;
            'all: for a in i % 3..h {
                for b in 1..w {
                    if a == b {
                        continue;
                    }
                    if sum > 400 {
                        break 'all;
                    }
                    sum = sum * 3 % 1000 + i64::from(at(a, b)) + i as i64;
                }
            }
            sum + (10 + i + 10 + i + 1 + 20 + i + 20 + i + 1) as i64 + walked(i)
        };
        same("in_order", &out, (0..5).map(expected).collect());
        let mut expected = vec![2; w.max(1)];
        for [a, b] in ndrange([0..h, 1..w]) {
            expected[b] = expected[b - 1] * 3 % 1000 + i64::from(at(a, b));
        }
        same("in_order", &path, expected);
    }
    for n in SIZES {
        for (from, to) in [
            (0, n),
            (n / 3, n),
            (n, n),
            (n, 0),
            (n / 2, n / 2 + usize::from(n > n / 2)),
        ] {
            let mut x = field(device, &(0..n).map(scatter).collect::<Vec<i32>>());
            line(&mut x, from, to).unwrap();
            let new = |i: usize| if i >= from && i < to { 2 * i as i32 } else { scatter(i) };
            same("line", &x, (0..n).map(|i| new(i) + 1).collect());
        }
    }
    check_nested(device);
    let mut v = Field::full(device, [3, 4], 1).unwrap();
    match ended(device, beyond(&mut v, 2, 6)) {
        Err(swathe::Error::OutOfBounds { index, count, .. }) => assert_eq!((&*index, count), (&[0, 4][..], 4)),
        other => panic!("{other:?}"),
    }
    assert_eq!(v.to_vec().unwrap(), [1, 1, 5, 5, 1, 1, 5, 5, 1, 1, 1, 1]);
    match ended(device, beyond(&mut v, usize::MAX - 1, usize::MAX)) {
        Err(swathe::Error::OutOfBounds { index, count, .. }) => {
            assert_eq!((&*index, count), (&[0, usize::MAX - 1][..], 2))
        }
        other => panic!("{other:?}"),
    }
    beyond(&mut v, 6, 2).unwrap();
}

fn check_slabs(device: &Device, [h, w]: [usize; 2]) {
    let (a, b, c) = (h + 1, 3, w + 1);
    for (from, to) in [(0, a), (1, a), (a, 1)] {
        let x = field(device, &[from as u32, to as u32]);
        let mut v = Field::full(device, [a, b, c], -1).unwrap();
        let mut sums = Field::full(device, a, 0_i64).unwrap();
        slabs(&x, &mut v, &mut sums).unwrap();
        let new = |i: usize, j: usize, k: usize| {
            let written = i >= from && i < to && j >= b / 2;
            if written { (100 * i + 10 * j + k) as i32 } else { -1 }
        };
        let expected = Array3::from_shape_fn((a, b, c), |(i, j, k)| new(i, j, k));
        assert_eq!(v.to_ndarray().unwrap(), expected, "slabs");
        let sum = |i: usize| {
            let of_row = if i >= from && i < to {
                6 * i64::from(new(i, b - 1, c - 1))
            } else {
                0
            };
            of_row + if i == 0 { 2 * a as i64 } else { 0 }
        };
        same("slabs", &sums, (0..a).map(sum).collect());
    }
}

#[func]
fn weighed(of: [usize; 2], k: usize) -> i64 {
    let mut sum = 0;
    for [a, b] in ndrange(of) {
        sum = sum * 3 % 1009 + (a * k + b) as i64;
    }
    sum
}

/// Extents by an array: of a variable, of a field, of any value.
#[kernel]
fn by_shape(x: &Field<i32, 2>, size: [usize; 2], out: &mut Field<i32, 2>, sums: &mut Field<i64>) -> i64 {
    let whole = x.shape();
    for [i, j] in ndrange(whole) {
        out[[i, j]] = x[[i, j]] + 1;
    }
    let mut total = 0;
    for [i, j] in ndrange(size) {
        total += (10 * i + j) as i64;
        out[[i, j]] *= 2;
    }
    for [k] in ndrange(sums.shape()) {
        let mut sum = weighed(size, k);
        for [a, b] in ndrange([x.shape()[1], k % 3]) {
            sum = sum * 5 % 997 + (a + b) as i64;
        }
        for [a, b] in ndrange(x.shape()) {
            sum = sum * 5 % 997 + x[[a, b]] as i64;
        }
        sums[k] = sum;
    }
    for [_, j] in serial(ndrange(out.shape())) {
        total = total * 3 % 1009 + j as i64;
    }
    total
}

fn check_shapes(device: &Device) {
    for [h, w] in [[0, 3], [4, 0], [1, 1], [3, 5], [17, 4]] {
        let x = Field::<i32, 2>::from_fn(device, [h, w], |[i, j]| (7 * i + j) as i32).unwrap();
        let mut out = Field::zeros(device, [h, w]).unwrap();
        let mut sums = Field::zeros(device, 5).unwrap();
        let of = [h / 2, w - w / 3];
        let mut total = by_shape(&x, of, &mut out, &mut sums).unwrap();
        let value = |[i, j]: [usize; 2]| (7 * i + j) as i32;
        let new = |[i, j]: [usize; 2]| (value([i, j]) + 1) * if i < of[0] && j < of[1] { 2 } else { 1 };
        let all = |[h, w]: [usize; 2]| (0..h).flat_map(move |i| (0..w).map(move |j| [i, j]));
        let expected: Vec<i32> = all([h, w]).map(new).collect();
        assert_eq!(out.to_vec().unwrap(), expected, "{h} x {w}");
        let mut sum = all(of).map(|[i, j]| (10 * i + j) as i64).sum::<i64>();
        for [_, j] in all([h, w]) {
            sum = sum * 3 % 1009 + j as i64;
        }
        assert_eq!(std::mem::take(&mut total), sum, "{h} x {w}");
        let expected = (0..5).map(|k| {
            let mut sum = all(of).fold(0, |sum, [a, b]| sum * 3 % 1009 + (a * k + b) as i64);
            sum = all([w, k % 3]).fold(sum, |sum, [a, b]| sum * 5 % 997 + (a + b) as i64);
            all([h, w]).fold(sum, |sum, at| sum * 5 % 997 + i64::from(value(at)))
        });
        same("by_shape", &sums, expected.collect());
    }
}

/// Extents that only the device knows, some of which may be zero.
#[kernel]
fn counted(of: &Field<u64>, out: &mut Field<u32>) -> u64 {
    let [a, b, c, d] = [of[0] as usize, of[1] as usize, of[2] as usize, of[3] as usize];
    for [i, j, k] in ndrange([a, b, c]) {
        out[(i + 2 * j + 3 * k) % 3].atomic_add(1);
    }
    for [i, j, k, l] in ndrange([a, b, c, d]) {
        out[(i + 2 * j + 3 * k + l) % 3].atomic_add(100);
    }
    let mut sum = 0;
    for [i, j] in ndrange([a, b]) {
        sum += (i + 2 * j + 1) as u64;
    }
    for p in ndrange([a, b, c, d]) {
        sum += (p[0] + p[1] + p[2] + p[3] + 1) as u64;
    }
    sum
}

/// The same by an argument, which the host knows.
#[kernel]
fn counted_by_shape(of: [usize; 3], x: &Field<f32, 2>, out: &mut Field<u32>) -> u64 {
    for [i, j, k] in ndrange(of) {
        out[(i + 2 * j + 3 * k) % 3].atomic_add(1);
    }
    let mut sum = 0;
    for [i, j, k] in ndrange(of) {
        sum += (i + j + k + 1) as u64;
    }
    for [i, j] in x.indices() {
        sum += (1000 + i + j) as u64;
    }
    sum
}

/// An empty axis leaves nothing of the others, however long they are.
fn check_empty(device: &Device) {
    const ALL: usize = usize::MAX;
    let shapes = [
        [ALL, 0, ALL, ALL],
        [0, ALL, ALL, ALL],
        [1 << 56, 0, 3, 5],
        [1 << 40, 0, 1 << 40, 0],
        [2, 3, 4, 5],
        [1, 17, 3, 1],
    ];
    for of in shapes {
        let empty = of.contains(&0);
        let x = field(device, &of.map(|n| n as u64));
        let mut out = Field::zeros(device, 3).unwrap();
        let sum = counted(&x, &mut out).unwrap();
        let (mut expected, mut total) = (vec![0; 3], 0);
        if !empty {
            for [i, j, k] in ndrange([of[0], of[1], of[2]]) {
                expected[(i + 2 * j + 3 * k) % 3] += 1;
                for l in 0..of[3] {
                    expected[(i + 2 * j + 3 * k + l) % 3] += 100;
                    total += (i + j + k + l + 1) as u64;
                }
            }
            total += ndrange([of[0], of[1]])
                .map(|[i, j]| (i + 2 * j + 1) as u64)
                .sum::<u64>();
        }
        assert_eq!(sum, total, "{of:?}");
        same(&format!("{of:?}"), &out, expected);
    }
    for of in [[ALL, ALL, 0], [ALL, 0, ALL], [0, ALL, ALL], [1 << 63, 2, 0], [2, 3, 4]] {
        for shape in [[1 << 40, 0], [0, 1 << 40], [3, 5]] {
            let x = Field::zeros(device, shape).unwrap();
            let mut out = Field::zeros(device, 3).unwrap();
            let sum = counted_by_shape(of, &x, &mut out).unwrap();
            let (mut expected, mut total) = (vec![0; 3], 0);
            if of[0] == 2 {
                for [i, j, k] in ndrange(of) {
                    expected[(i + 2 * j + 3 * k) % 3] += 1;
                    total += (i + j + k + 1) as u64;
                }
            }
            if shape == [3, 5] {
                total += ndrange([3, 5]).map(|[i, j]| (1000 + i + j) as u64).sum::<u64>();
            }
            assert_eq!(sum, total, "{of:?}, {shape:?}");
            same(&format!("{of:?}, {shape:?}"), &out, expected);
        }
    }
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        inside,
        whole,
        slabs,
        line,
        in_order,
        beyond,
        interior,
        interior_of_others,
        nested,
        by_shape,
        counted,
        counted_by_shape
    ]
}
