//! Own elements under constant offsets and strides: each iteration writes at a multiple of its position plus a number.

use ndarray::Array2;
use swathe::prelude::*;

use super::support::{SHAPES, SIZES, same, scatter, sources};

/// All but the rim.
#[kernel]
fn inner(u: &Field<i32, 2>, v: &mut Field<i32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in ndrange([h.max(2) - 2, w.max(2) - 2]) {
        v[[i + 1, j + 1]] += u[[i, j + 1]] + 10 * u[[i + 2, j + 1]];
        v[[1 + i, j + 1]] += u[[i + 1, j]];
    }
}

#[kernel]
fn before(x: &Field<i32>, y: &mut Field<i32>) {
    for i in 1..x.len() {
        y[i - 1] = x[i];
        y[i + 1 - 2] += 1;
    }
}

/// Exchanges neighbours.
#[kernel]
fn pairs(x: &mut Field<i32>) {
    for k in 0..x.len() / 2 {
        let a = x[2 * k];
        x[2 * k] = x[2 * k + 1];
        x[1 + k * 2] = a;
    }
}

/// Blocks of 2 x 3 elements, each turned by itself.
#[kernel]
fn tiles(x: &mut Field<i32, 2>) {
    let [h, w] = x.shape();
    for [i, j] in ndrange([h / 2, w / 3]) {
        for a in 0..2 {
            for b in 0..3 {
                x[[2 * i + a, 3 * j + b]] += x[[2 * i + 1, 3 * j]] * (a + 1) as i32 + b as i32;
            }
        }
    }
}

/// Multiples of sums, behind one another and among sequential positions.
#[kernel]
fn sums(x: &Field<i32>, two: &mut Field<i32>, four: &mut Field<i32>, inner: &mut Field<i32>) {
    for i in x.indices() {
        two[2 * (i + 1)] = x[i];
        two[(i + 1) * 2 + 1] += 10 * x[i];
        for k in 0..2 {
            for l in 0..2 {
                four[4 * (i + 1) - 2 * (1 - k) + l] += x[i] * (1 + k + 2 * l) as i32;
            }
        }
        inner[2 * (2 * (i + 1) + 1) - 2] = x[i] + 7;
    }
}

/// The loop's other position decides where the strides differ.
#[kernel]
fn beside(x: &mut Field<i32, 2>) {
    let [h, w] = x.shape();
    for p in ndrange([h / 2, w]) {
        let [i, j] = p;
        x[[2 * i, j]] += 100 * x[[2 * i + 1, w - 1 - j]];
    }
}

#[kernel]
fn cast(x: &mut Field<i32>, n: i32) {
    for i in 0..n {
        x[3 * (i as usize) + 2] = 7 * i;
        x[3 * (i as usize)] -= x[3 * (i as usize) + 2];
    }
}

/// Positions that are no element's, and whose products would wrap.
#[kernel]
fn far(x: &mut Field<i32>, from: usize) {
    for i in from..from + 3 {
        x[2 * i] = 5;
    }
}

pub fn check(device: &Device) {
    check_sums(device);
    check_read_far(device);
    check_without_size(device);
    check_arrays_without_size();
    for [h, w] in SHAPES {
        let start = Array2::from_shape_fn((h, w), |(i, j)| scatter(i * 40 + j) % 1000);
        let u = Field::from_ndarray(device, &start).unwrap();
        let mut v = Field::from_ndarray(device, &start).unwrap();
        inner(&u, &mut v).unwrap();
        let expected = Array2::from_shape_fn((h, w), |(i, j)| match (i, j) {
            _ if i == 0 || j == 0 || i + 1 == h || j + 1 == w => start[[i, j]],
            _ => start[[i, j]] + start[[i - 1, j]] + 10 * start[[i + 1, j]] + start[[i, j - 1]],
        });
        assert_eq!(v.to_ndarray().unwrap(), expected, "inner");

        let mut x = Field::from_ndarray(device, &start).unwrap();
        tiles(&mut x).unwrap();
        let mut expected = start.clone();
        for (i, j) in (0..h / 2).flat_map(|i| (0..w / 3).map(move |j| (i, j))) {
            for (a, b) in (0..2).flat_map(|a| (0..3).map(move |b| (a, b))) {
                expected[[2 * i + a, 3 * j + b]] += expected[[2 * i + 1, 3 * j]] * (a + 1) as i32 + b as i32;
            }
        }
        assert_eq!(x.to_ndarray().unwrap(), expected, "tiles");

        let mut x = Field::from_ndarray(device, &start).unwrap();
        beside(&mut x).unwrap();
        let expected = Array2::from_shape_fn((h, w), |(i, j)| match i % 2 {
            0 if i + 1 < h => start[[i, j]] + 100 * start[[i + 1, w - 1 - j]],
            _ => start[[i, j]],
        });
        assert_eq!(x.to_ndarray().unwrap(), expected, "beside");
    }
    for n in SIZES {
        let field = || Field::from_fn(device, n, |[i]| scatter(i)).unwrap();
        let mut y = field();
        before(&field(), &mut y).unwrap();
        let moved = |i: usize| if i + 1 < n { scatter(i + 1) + 1 } else { scatter(i) };
        same("before", &y, (0..n).map(moved).collect());

        let mut x = field();
        pairs(&mut x).unwrap();
        let pair = |i: usize| if i + 1 == n && n % 2 == 1 { i } else { i ^ 1 };
        same("pairs", &x, (0..n).map(|i| scatter(pair(i))).collect());

        // One iteration too many.
        let mut x = field();
        let result = cast(&mut x, (n / 3) as i32 + 1);
        let third = |i: usize| match i % 3 {
            _ if i / 3 >= n / 3 => scatter(i),
            0 => scatter(i) - 7 * (i / 3) as i32,
            1 => scatter(i),
            _ => 7 * (i / 3) as i32,
        };
        match super::support::ended(device, result) {
            Err(swathe::Error::OutOfBounds { index, count, .. }) => {
                assert_eq!((&*index, count), (&[n / 3 * 3 + 2][..], 1))
            }
            other => panic!("{other:?}"),
        }
        same("cast", &x, (0..n).map(third).collect());
    }
    let mut x = Field::from_slice(device, &[1, 2, 3, 4, 5, 6, 7]).unwrap();
    for (from, first) in [
        (1 << 63, 1_usize << 53),
        (1 << 40, 1 << 41),
        (u32::MAX as usize - 1, 8_589_934_588),
    ] {
        match super::support::ended(device, far(&mut x, from)) {
            Err(swathe::Error::OutOfBounds { index, count, .. }) => assert_eq!((&*index, count), (&[first][..], 3)),
            other => panic!("{from}: {other:?}"),
        }
    }
    same("far", &x, vec![1, 2, 3, 4, 5, 6, 7]);
}

fn check_sums(device: &Device) {
    for n in SIZES {
        let len = 4 * n + 4;
        let x: Vec<i32> = (0..n).map(scatter).collect();
        let mut out: [Field<i32>; 3] = std::array::from_fn(|_| Field::zeros(device, len).unwrap());
        let [two, four, inner] = &mut out;
        sums(&super::support::field(device, &x), two, four, inner).unwrap();
        let mut expected = [vec![0; len], vec![0; len], vec![0; len]];
        for (i, x) in x.into_iter().enumerate() {
            expected[0][2 * i + 2] = x;
            expected[0][2 * i + 3] = 10 * x;
            for (k, times) in [1, 3, 2, 4].into_iter().enumerate() {
                expected[1][4 * i + 2 + k] = times * x;
            }
            expected[2][4 * i + 4] = x + 7;
        }
        for (out, expected) in out.iter().zip(expected) {
            same("sums", out, expected);
        }
    }
}

/// A field that another loop writes: here it is only read, wherever the position is.
#[kernel]
fn read_far(y: &mut Field<i32>, out: &mut Field<i32>, from: usize, less: usize) {
    for i in from..from + 17 {
        out[i - from] = y[2 * i - less];
    }
    for i in y.indices() {
        y[i] += 1;
    }
}

/// Elements without size: only their number is asked for.
#[kernel]
fn without_size(y: &mut Field<[i32; 0]>, n: usize, step: usize) -> u32 {
    let mut count = 0;
    for i in (0..n).step_by(step) {
        y[2 * i] = [];
        count += 1;
    }
    count
}

fn check_without_size(device: &Device) {
    const MOST: usize = 1 << 52;
    assert!(Field::<[i32; 0], 2>::zeros(device, [MOST / 2 + 1, 2]).is_err());
    let mut y = Field::zeros(device, MOST).unwrap();
    match super::support::ended(device, without_size(&mut y, MOST, MOST / 4).map(drop)) {
        Err(swathe::Error::OutOfBounds { index, count, .. }) => assert_eq!((&*index, count), (&[MOST][..], 2)),
        other => panic!("{other:?}"),
    }
}

#[kernel]
fn without_size_in_an_array(y: &mut ndarray::Array1<[i32; 0]>) {
    for i in 0..1_usize {
        y[2 * i] = [];
    }
}

fn check_arrays_without_size() {
    const MOST: usize = 1 << 52;
    without_size_in_an_array(&mut ndarray::Array1::from(vec![[0_i32; 0]; MOST])).unwrap();
    let result = without_size_in_an_array(&mut ndarray::Array1::from(vec![[0_i32; 0]; MOST + 1]));
    assert!(matches!(result, Err(swathe::Error::SizeOverflow { .. })), "{result:?}");
}

fn check_read_far(device: &Device) {
    for from in [5, (1 << 52) - 7, 1 << 52, (1 << 60) + 3] {
        let mut y = Field::from_fn(device, 37, |[i]| scatter(i)).unwrap();
        let mut out = Field::zeros(device, 17).unwrap();
        read_far(&mut y, &mut out, from, 2 * from - 3).unwrap();
        same("read_far", &out, (0..17).map(|i| scatter(2 * i + 3)).collect());
    }
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        inner,
        before,
        pairs,
        tiles,
        sums,
        beside,
        cast,
        far,
        read_far,
        without_size,
        without_size_in_an_array
    ]
}
