//! Own elements from a start on that does not change during the loop, and backwards.

use ndarray::{Array2, s};
use swathe::prelude::*;

use super::support::{SHAPES, SIZES, ended, field, same, scatter, sources};

#[kernel]
fn from_start(x: &Field<i32>, start: usize, y: &mut Field<i32>) {
    for i in x.indices() {
        y[start + i] += x[i] * 2;
        let k = i + 1 + start;
        let m = k;
        y[m - 1] -= x[i];
    }
}

/// The start is read from memory.
#[kernel]
fn from_memory(starts: &Field<u32>, y: &mut Field<i32>, n: usize) {
    let start = starts[1] as usize;
    for i in 0..n {
        y[start + i] = i as i32 + 5;
    }
    let next = starts[0] as usize;
    for i in 0..n as u32 {
        let k = i as usize + next;
        y[k] += 100 * (y[next + i as usize] + 1);
    }
}

/// The start is read from the memory that is written.
#[kernel]
fn from_itself(y: &mut Field<u32>) {
    let start = y[0] as usize;
    let n = y.len() - start;
    for i in 0..n {
        y[start + i] = 7 * i as u32 + 100;
    }
}

#[kernel]
fn backwards(x: &Field<i32>, y: &mut Field<i32>) {
    let n = y.len();
    for i in 0..n {
        let j = n - 1 - i;
        y[j] = 3 * y[j] + x[i];
        y[y.len() - i - 1] += 1;
    }
}

/// One row of a matrix in one axis.
#[kernel]
fn row(x: &Field<i32>, width: usize, r: usize, y: &mut Field<i32>) {
    for i in 0..width {
        y[r * width + i] = x[width * r + i] + 1000;
        y[i + width * (r + 1) - width] -= 7;
    }
}

#[kernel]
fn block(u: &Field<i32, 2>, top: usize, v: &mut Field<i32, 2>) {
    let left = v.shape()[1] - u.shape()[1];
    for [i, j] in u.indices() {
        v[[top + i, left + j]] += u[[i, j]];
        v[[top + u.shape()[0] - 1 - (u.shape()[0] - 1 - i), j + left]] *= 3;
    }
}

/// Positions by other names, one by one and together.
#[kernel]
fn renamed(u: &Field<i32, 2>, v: &mut Field<i32, 2>, turned: &mut Field<i32, 2>) {
    for p in u.indices() {
        let i = p[0];
        let j = p[1];
        v[[i, j]] = 2 * u[p];
        let q = p;
        let (k, (l, _)) = (q[0], (q[1] + 1, 7));
        turned[[l - 1, k]] = v[p] + 1;
    }
    for [i, j] in u.indices() {
        let [m, n] = [j + 2, i];
        let (n, m) = (n, m - 2);
        turned[[m, n]] += u[[n, m]];
    }
}

#[kernel]
fn shifted(u: &OffsetField<i32>, by: isize, v: &mut OffsetField<i32>) {
    for i in u.indices() {
        v[i + by] = 2 * v[i + by] + u[i];
        v[by + i] += 1;
    }
}

#[kernel]
fn turned(u: &OffsetField<i32>, end: isize, v: &mut OffsetField<i32>) {
    for i in u.indices() {
        let k = end - i;
        v[k] = u[i];
    }
}

pub fn check(device: &Device) {
    let offset = |origin: isize, n: usize, at: &dyn Fn(isize) -> i32| {
        let values = Field::from_fn(device, n, |[i]| at(origin + i as isize)).unwrap();
        values.with_origin(origin).unwrap()
    };
    for n in SIZES {
        let values: Vec<i32> = (0..n).map(scatter).collect();
        for start in [0, 1, 5, 64] {
            let mut y = Field::full(device, n + start + 3, 9).unwrap();
            from_start(&field(device, &values), start, &mut y).unwrap();
            let at = |k: usize| {
                9 + if k >= start && k < start + n {
                    values[k - start]
                } else {
                    0
                }
            };
            same("from_start", &y, (0..n + start + 3).map(at).collect());
        }
        // The last one is out of bounds.
        let mut y = Field::full(device, n + 6, 9).unwrap();
        let failed = ended(device, from_start(&field(device, &values), 7, &mut y));
        match failed {
            Ok(()) => assert_eq!(n, 0),
            Err(swathe::Error::OutOfBounds { index, count, .. }) => assert_eq!((&*index, count), (&[n + 6][..], 1)),
            other => panic!("{other:?}"),
        }
        let at = |k: usize| 9 + if k >= 7 { values[k - 7] } else { 0 };
        same("from_start, one too many", &y, (0..n + 6).map(at).collect());

        let mut y = Field::full(device, 2 * n + 8, -1).unwrap();
        from_memory(&field(device, &[n as u32 + 2, 1]), &mut y, n).unwrap();
        let written = |k: usize| if k >= 1 && k <= n { k as i32 + 4 } else { -1 };
        let at = |k: usize| {
            written(k)
                + if k >= n + 2 && k < 2 * n + 2 {
                    100 * (written(k) + 1)
                } else {
                    0
                }
        };
        same("from_memory", &y, (0..2 * n + 8).map(at).collect());

        for start in [0, 1, n / 2].into_iter().filter(|start| *start < n) {
            let mut y = Field::full(device, n, start as u32).unwrap();
            from_itself(&mut y).unwrap();
            let at = |k: usize| if k < start { start } else { 7 * (k - start) + 100 };
            same("from_itself", &y, (0..n).map(|k| at(k) as u32).collect());
        }

        let mut y = field(device, &values);
        backwards(&field(device, &values), &mut y).unwrap();
        same(
            "backwards",
            &y,
            (0..n).map(|k| 3 * values[k] + values[n - 1 - k] + 1).collect(),
        );

        for origin in [-5_isize, 0, 3] {
            let u = offset(origin, n, &|i| scatter(i.unsigned_abs() + 7));
            let mut v = offset(origin + 2, n + 1, &|_| 4);
            shifted(&u, 3, &mut v).unwrap();
            let at = |k: isize| scatter((k - 3).unsigned_abs() + 7);
            for k in 0..=n {
                let position = origin + 2 + k as isize;
                let expected = if k == 0 { 4 } else { 9 + at(position) };
                assert_eq!(v.get(position).unwrap(), expected, "shifted, {n} elements, {position}");
            }
            let mut v = offset(-origin, n, &|_| 4);
            turned(&u, n as isize - 1, &mut v).unwrap();
            for k in 0..n as isize {
                let expected = scatter((n as isize - 1 - (k - origin)).unsigned_abs() + 7);
                assert_eq!(v.get(k - origin).unwrap(), expected, "turned, {n} elements, {k}");
            }
        }
    }
    for [h, w] in SHAPES {
        let x: Vec<i32> = (0..h * w).map(scatter).collect();
        for r in [0, h / 2, h.max(1) - 1].into_iter().filter(|r| *r < h) {
            let mut y = Field::full(device, h * w, 8).unwrap();
            row(&field(device, &x), w, r, &mut y).unwrap();
            let at = |k: usize| if k / w == r { x[k] + 993 } else { 8 };
            same("row", &y, (0..h * w).map(at).collect());
        }
        let u = Field::from_fn(device, [h, w], |[i, j]| scatter(i * 40 + j)).unwrap();
        let (mut v, mut turned) = (
            Field::full(device, [h, w], 1).unwrap(),
            Field::full(device, [w, h], 1).unwrap(),
        );
        renamed(&u, &mut v, &mut turned).unwrap();
        let at = |i: usize, j: usize| scatter(i * 40 + j);
        let expected = Array2::from_shape_fn((h, w), |(i, j)| 2 * at(i, j));
        assert_eq!(v.to_ndarray().unwrap(), expected, "renamed");
        let expected = Array2::from_shape_fn((w, h), |(j, i)| 3 * at(i, j) + 1);
        assert_eq!(turned.to_ndarray().unwrap(), expected, "renamed");
        for (top, left, below) in [(0, 0, 0), (2, 1, 0), (1, 5, 3)] {
            let u = Array2::from_shape_fn((h, w), |(i, j)| scatter(i * 40 + j));
            let start = Array2::from_shape_fn((h + top + below, w + left), |(i, j)| scatter(i * 33 + j + 5));
            let mut v = Field::from_ndarray(device, &start).unwrap();
            block(&Field::from_ndarray(device, &u).unwrap(), top, &mut v).unwrap();
            let mut expected = start.clone();
            let mut part = expected.slice_mut(s![top..top + h, left..]);
            part += &u;
            part *= 3;
            assert_eq!(v.to_ndarray().unwrap(), expected, "block");
        }
    }
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        from_start,
        from_memory,
        from_itself,
        backwards,
        row,
        block,
        renamed,
        shifted,
        turned
    ]
}
