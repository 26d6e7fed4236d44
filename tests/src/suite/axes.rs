//! Indices across the rows of a loop: transposed reads and writes, axes in another order than the elements lie.

use ndarray::{Array2, Array3};
use swathe::prelude::*;
use swathe::{Error, Technique};

use super::support::{SHAPES, ended, scatter, sources};

#[kernel]
fn written(u: &Field<i32, 2>, v: &mut Field<i32, 2>) {
    for [i, j] in u.indices() {
        v[[j, i]] = 3 * u[[i, j]] + (100 * i + j) as i32;
    }
}

/// What lies across rows in any order.
#[kernel]
fn symmetric(u: &Field<i32, 2>, v: &Field<i32, 2>, w: &mut Field<i32, 2>) {
    for [i, j] in w.indices() {
        w[[i, j]] += u[[i, j]] - 5 * v[[j, i]] + 7 * v[[j, v.shape()[1] - 1]];
    }
}

/// Columns first, as in another language, with neighbours, a condition and an early end.
#[kernel]
fn columns(u: &Field<i32, 2>, v: &mut Field<i32, 2>, most: i32) {
    let [h, w] = u.shape();
    for [j, i] in ndrange([w, h]) {
        if u[[i, j]] > most {
            continue;
        }
        let left = if j == 0 { w - 1 } else { j - 1 };
        v[[i, j]] = u[[i, j]] + 3 * u[[i, left]] + (10 * i + j) as i32;
        if i > 0 && i + 1 < h {
            v[[i, j]] -= u[[i - 1, j]] * u[[i + 1, j]];
        }
    }
}

#[derive(Element, Clone, Copy, PartialEq, Debug)]
struct Cell {
    a: i32,
    b: Vec2,
}

/// Parts of structs, ranges, a position without a name.
#[kernel]
fn members(u: &Field<i32, 2>, cells: &mut Field<Cell, 2>, sums: &mut Field<i32>) -> i32 {
    let [h, w] = u.shape();
    let mut total = 0;
    for [j, i] in ndrange([1..w, 0..h]) {
        cells[[i, j]].a += 2 * u[[i, j]];
        cells[[i, j]].b.y = (i + 3 * j) as f32;
        total += u[[i, j - 1]] % 5;
    }
    for [_, i] in ndrange([0..w, 0..h]) {
        sums[i].atomic_add(1);
    }
    total
}

#[kernel]
fn planes(u: &Field<i32, 3>, v: &mut Field<i32, 3>, w: &mut Field<i32, 3>) {
    for [i, j, k] in u.indices() {
        v[[k, i, j]] = u[[i, j, k]] + (i + 10 * j + 100 * k) as i32;
    }
    for p in u.indices() {
        let [i, j, k] = p;
        w[[k, j, i]] = 2 * u[[i, j, k]];
    }
}

/// Positions under several names.
#[kernel]
fn named_twice(u: &Field<i32, 2>, v: &mut Field<i32, 2>) {
    for p in u.indices() {
        let ([i, j], k) = (p, 2);
        v[[p[1], p[0]]] = u[[i, j]] * k;
    }
}

/// Of values that are equal the first one by the order that is written.
#[kernel]
fn first(u: &Field<i32, 2>, at: &mut Field<i64>) {
    let [h, w] = u.shape();
    let (mut best, mut place) = (i32::MIN, -1);
    for [j, i] in ndrange([w, h]) {
        if u[[i, j]] % 7 > best {
            best = u[[i, j]] % 7;
            place = (i * 1000 + j) as i64;
        }
    }
    for k in at.indices() {
        at[k] = place;
    }
}

/// Iterations that fail end alone.
#[kernel]
fn failing(x: &Field<i32>, at: &Field<i32, 2>, v: &mut Field<i32, 2>) {
    for [i, j] in at.indices() {
        assert!(at[[i, j]] != 50, "{} and {}", i, j);
        v[[j, i]] = x[at[[i, j]] as usize];
    }
}

/// The loop's positions are not all of the field's.
#[kernel]
fn smaller(u: &Field<i32, 2>, v: &mut Field<i32, 2>) {
    for [i, j] in u.indices() {
        v[[j, i]] = u[[i, j]];
    }
}

fn shapes(device: &Device) -> Vec<[usize; 2]> {
    // Long rows, which are cut on the CPU.
    let long = [[3, 600], [600, 3], [37, 515], [520, 530], [2, 2000]];
    let long = long.into_iter().filter(|_| device.is_cpu());
    SHAPES.into_iter().chain(long).collect()
}

fn check_planes(device: &Device, [h, w]: [usize; 2]) {
    for [a, b, c] in [[h, w, 3], [2, h, w], [h, 2, w]] {
        let at = |i, j, k| scatter((i * b + j) * c + k);
        let u = Field::from_ndarray(device, &Array3::from_shape_fn((a, b, c), |(i, j, k)| at(i, j, k))).unwrap();
        let mut v = Field::full(device, [c, a, b], -1).unwrap();
        let mut x = Field::full(device, [c, b, a], -1).unwrap();
        planes(&u, &mut v, &mut x).unwrap();
        let expected = Array3::from_shape_fn((c, a, b), |(k, i, j)| at(i, j, k) + (i + 10 * j + 100 * k) as i32);
        assert_eq!(v.to_ndarray().unwrap(), expected, "planes, {a}, {b}, {c}");
        let expected = Array3::from_shape_fn((c, b, a), |(k, j, i)| 2 * at(i, j, k));
        assert_eq!(x.to_ndarray().unwrap(), expected, "planes, {a}, {b}, {c}");
    }
}

fn check_first(device: &Device, u: &Field<i32, 2>, at: impl Fn(usize, usize) -> i32) {
    let [h, w] = u.shape();
    let mut place = Field::full(device, 1, 0).unwrap();
    first(u, &mut place).unwrap();
    let (mut best, mut expected) = (i32::MIN, -1);
    for j in 0..w {
        for i in 0..h {
            if at(i, j) % 7 > best {
                (best, expected) = (at(i, j) % 7, (i * 1000 + j) as i64);
            }
        }
    }
    assert_eq!(place.to_vec().unwrap(), [expected], "first, {h}, {w}");
}

fn check_failing(device: &Device, [h, w]: [usize; 2]) {
    // From -100 to 100: half of them are no positions, and 50 is refused.
    let number = |i: usize, j: usize| match scatter(i * w + j) {
        n if n % 3 == 0 => n,
        n => n.abs() % 40,
    };
    let x: Vec<i32> = (0..70).map(|k| 1000 + k).collect();
    let x = Field::from_slice(device, &x).unwrap();
    let at = Field::from_ndarray(device, &Array2::from_shape_fn((h, w), |(i, j)| number(i, j))).unwrap();
    let mut v = Field::full(device, [w, h], -1).unwrap();
    let result = ended(device, failing(&x, &at, &mut v));
    let expected = Array2::from_shape_fn((w, h), |(j, i)| match number(i, j) {
        50 => -1,
        n @ 0..70 => 1000 + n,
        _ => -1,
    });
    assert_eq!(v.to_ndarray().unwrap(), expected, "failing, {h}, {w}");
    let places = || (0..h).flat_map(|i| (0..w).map(move |j| (i, j)));
    let refused = places().filter(|(i, j)| number(*i, *j) == 50).count();
    let outside = places().filter(|(i, j)| !(0..70).contains(&number(*i, *j))).count();
    match result {
        Ok(()) => assert_eq!(refused + outside, 0),
        Err(Error::KernelFailure { count, .. } | Error::OutOfBounds { count, .. }) => {
            assert_eq!(count, refused + outside, "failing, {h}, {w}");
        }
        Err(other) => panic!("{other}"),
    }
}

pub fn check(device: &Device) {
    for [h, w] in shapes(device) {
        let at = |i: usize, j: usize| scatter(i * w + j);
        let start = Array2::from_shape_fn((h, w), |(i, j)| at(i, j));
        let u = Field::from_ndarray(device, &start).unwrap();

        let mut v = Field::full(device, [w, h], -1).unwrap();
        written(&u, &mut v).unwrap();
        let turned = Array2::from_shape_fn((w, h), |(j, i)| 3 * at(i, j) + (100 * i + j) as i32);
        assert_eq!(v.to_ndarray().unwrap(), turned, "written, {h}, {w}");

        let mut sum = Field::from_ndarray(device, &start).unwrap();
        symmetric(&u, &v, &mut sum).unwrap();
        let expected = Array2::from_shape_fn((h, w), |(i, j)| {
            2 * at(i, j) - 5 * turned[[j, i]] + 7 * turned[[j, h - 1]]
        });
        assert_eq!(sum.to_ndarray().unwrap(), expected, "symmetric, {h}, {w}");

        let mut v = Field::full(device, [h, w], -1).unwrap();
        columns(&u, &mut v, 60).unwrap();
        let expected = Array2::from_shape_fn((h, w), |(i, j)| {
            if at(i, j) > 60 {
                return -1;
            }
            let left = if j == 0 { w - 1 } else { j - 1 };
            let inner = i > 0 && i + 1 < h;
            let less = if inner { at(i - 1, j) * at(i + 1, j) } else { 0 };
            at(i, j) + 3 * at(i, left) + (10 * i + j) as i32 - less
        });
        assert_eq!(v.to_ndarray().unwrap(), expected, "columns, {h}, {w}");

        let cell = Cell {
            a: 5,
            b: Vec2::new(1.0, 2.0),
        };
        let mut cells = Field::full(device, [h, w], cell).unwrap();
        let mut sums = Field::full(device, h, 1).unwrap();
        let total = members(&u, &mut cells, &mut sums).unwrap();
        let expected = Array2::from_shape_fn((h, w), |(i, j)| match j {
            0 => cell,
            _ => Cell {
                a: 5 + 2 * at(i, j),
                b: Vec2::new(1.0, (i + 3 * j) as f32),
            },
        });
        assert_eq!(
            cells.to_vec().unwrap(),
            expected.into_raw_vec_and_offset().0,
            "members, {h}, {w}"
        );
        let inside = (0..h).flat_map(|i| (1..w).map(move |j| at(i, j - 1) % 5));
        assert_eq!(total, inside.sum::<i32>(), "members, {h}, {w}");
        assert_eq!(sums.to_vec().unwrap(), vec![1 + w as i32; h], "members, {h}, {w}");

        let mut v = Field::full(device, [w, h], -1).unwrap();
        named_twice(&u, &mut v).unwrap();
        let expected = Array2::from_shape_fn((w, h), |(j, i)| 2 * at(i, j));
        assert_eq!(v.to_ndarray().unwrap(), expected, "named_twice, {h}, {w}");

        check_planes(device, [h, w]);
        check_first(device, &u, at);
        check_failing(device, [h, w]);
    }
    // All that is there is written.
    let u = Field::from_ndarray(device, &Array2::from_shape_fn((5, 7), |(i, j)| (10 * i + j) as i32)).unwrap();
    let mut v = Field::full(device, [4, 5], -1).unwrap();
    let result = ended(device, smaller(&u, &mut v));
    assert!(
        matches!(result, Err(Error::OutOfBounds { count: 15, .. })),
        "{result:?}"
    );
    let expected = Array2::from_shape_fn((4, 5), |(j, i)| (10 * i + j) as i32);
    assert_eq!(v.to_ndarray().unwrap(), expected, "smaller");

    let interchanged = |plan: swathe::Plan| -> Vec<bool> {
        let loops = plan.loops().iter();
        loops.map(|l| l.techniques.contains(&Technique::Interchanged)).collect()
    };
    let strips = |plan: swathe::Plan| plan.loops()[0].techniques.contains(&Technique::Strips);
    assert_eq!(interchanged(written::plan()), [true]);
    assert_eq!(interchanged(columns::plan()), [true]);
    assert_eq!(interchanged(members::plan()), [true, false]);
    assert_eq!(interchanged(planes::plan()), [true, true]);
    assert_eq!(interchanged(first::plan()), [false, false]);
    assert_eq!(interchanged(symmetric::plan()), [false]);
    assert!(strips(written::plan()) && strips(symmetric::plan()) && strips(planes::plan()));
    assert!(!strips(columns::plan()) && !strips(first::plan()));
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![written, symmetric, columns, members, planes, first, failing, smaller,]
}
