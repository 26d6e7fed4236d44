//! Parts of fields as arguments.
// `ndarray` counts negative positions from the end.
#![allow(clippy::reversed_empty_ranges)]

use ndarray::{Array, Array2, Array3, Axis, NewAxis, s};
use swathe::prelude::*;
use swathe::{FieldLayout, FieldView, FieldViewMut};

use super::support::{SHAPES, SIZES, same, scatter, sources};

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Inner {
    kind: u8,
    weight: f64,
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Particle {
    tag: i16,
    pos: Vec3,
    inner: Inner,
}

#[kernel]
fn affine(x: &Field<i64, 2>, out: &mut Field<i64, 2>, a: i64) {
    for [i, j] in out.indices() {
        out[[i, j]] = a * x[[i, j]] + 100 * i as i64 + j as i64;
    }
}

#[kernel]
fn double<T: Float>(x: &Field<T>, out: &mut Field<T>) {
    for i in out.indices() {
        out[i] = x[i] + x[i];
    }
}

#[kernel]
fn count(x: &Field<i64, 3>, bins: &mut Field<i32>) -> i64 {
    let n = bins.len();
    let mut sum = 0;
    for [i, j, k] in x.indices() {
        sum += x[[i, j, k]] * (1 + i + 10 * j + 100 * k) as i64;
        bins[(i + j + k) % n].atomic_add(1);
    }
    sum
}

#[kernel]
fn neighbours(x: &Field<i64>, out: &mut Field<i64>) {
    let n = x.len();
    for i in 0..n {
        if i > 0 && i + 1 < n {
            out[i] = x[i - 1] + x[i + 1];
        }
    }
}

#[kernel]
fn move_on(pos: &mut Field<Vec3>, kind: &Field<u8>, step: f32) {
    for i in pos.indices() {
        if kind[i] % 2 == 1 {
            pos[i] += Vec3::new(step, 2.0 * step, i as f32);
        }
    }
}

#[kernel]
fn set_point(x: &mut Field<f64, 0>, value: f64) {
    x[[]] = x[[]] + value;
}

#[kernel]
fn past_the_end(x: &Field<i64>, out: &mut Field<i64>) {
    for i in out.indices() {
        out[i] = x[i + 1];
    }
}

fn grid(shape: [usize; 2]) -> Array2<i64> {
    Array2::from_shape_fn(shape, |(i, j)| 1000 * i as i64 + 7 * j as i64 - 50)
}

fn slices(device: &Device) {
    for shape @ [h, w] in SHAPES {
        let source = grid([2 * h + 1, w + 2]);
        let x = Field::<i64, 2>::from_ndarray(device, &source).unwrap();
        let sliced = source.slice(s![1..;2, 1..-1]);
        assert_eq!(sliced.shape(), shape);
        let expected = Array2::from_shape_fn(shape, |(i, j)| 3 * sliced[[i, j]] + (100 * i + j) as i64);
        // Into a whole field, into a transpose, and backwards.
        let view = x.slice(s![1..;2, 1..-1]).unwrap();
        assert_eq!(view.to_ndarray().unwrap(), sliced);
        let mut out = Field::<i64, 2>::zeros(device, shape).unwrap();
        affine(&view, &mut out, 3).unwrap();
        assert_eq!(out.to_ndarray().unwrap(), expected);

        let mut turned = Field::<i64, 2>::full(device, [w, h], -1).unwrap();
        affine(&view, &mut turned.view_mut().unwrap().t(), 3).unwrap();
        assert_eq!(turned.t().to_ndarray().unwrap(), expected);

        let mut large = Field::<i64, 2>::full(device, [h + 2, 3 * w + 1], -1).unwrap();
        affine(&view, &mut large.slice_mut(s![1..-1;-1, 1..;3]).unwrap(), 3).unwrap();
        let mut host = Array2::from_elem([h + 2, 3 * w + 1], -1);
        host.slice_mut(s![1..-1;-1, 1..;3]).assign(&expected);
        assert_eq!(large.to_ndarray().unwrap(), host);
    }
}

fn rows_and_parts(device: &Device) {
    for n in SIZES {
        let source = Array2::from_shape_fn([3, n], |(i, j)| f64::from(scatter(i * n + j)));
        let mut x = Field::<f64, 2>::from_ndarray(device, &source).unwrap();
        let (mut first, rest) = x.split_at_mut(0, 1).unwrap();
        let row = rest.view().index_axis(0, 1).unwrap();
        double(&row, &mut first.index_axis_mut(0, 0).unwrap()).unwrap();
        let mut expected = source.clone();
        expected.row_mut(0).assign(&(&source.row(2) + &source.row(2)));
        assert_eq!(x.to_ndarray().unwrap(), expected);

        // One column of a wide field, and the same one again in between.
        let mut wide = Field::<f64, 2>::full(device, [n, 5], 0.25).unwrap();
        {
            let mut column = wide.index_axis_mut(1, 3).unwrap();
            double(&x.index_axis(0, 1).unwrap(), &mut column).unwrap();
            double(&x.index_axis(0, 1).unwrap(), &mut column).unwrap();
        }
        let got = wide.to_ndarray().unwrap();
        assert_eq!(got.column(3), &source.row(1) + &source.row(1));
        assert!(got.slice(s![.., ..3]).iter().chain(got.column(4)).all(|v| *v == 0.25));
        if n > 0 {
            let mut point = wide.index_axis_mut(0, n - 1).unwrap();
            set_point(&mut point.index_axis_mut(0, 4).unwrap(), 2.0).unwrap();
            assert_eq!(wide.get([n - 1, 4]).unwrap(), 2.25);
        }
    }
}

fn rank_three(device: &Device) {
    let shape = [3, 17, 4];
    let source = Array3::from_shape_fn(shape, |(i, j, k)| i64::from(scatter((i * 17 + j) * 4 + k)));
    let x = Field::<i64, 3>::from_ndarray(device, &source).unwrap();
    for axes in [[0, 1, 2], [1, 0, 2], [2, 0, 1], [2, 1, 0]] {
        let turned = source.view().permuted_axes(axes);
        let turned = turned.slice(s![..;-1, 1.., ..;2]);
        let expected: i64 = turned
            .indexed_iter()
            .map(|((i, j, k), v)| v * (1 + i + 10 * j + 100 * k) as i64)
            .sum();
        let mut bins = Field::<i32, 2>::full(device, [5, 2], 7).unwrap();
        let view = x.permuted_axes(axes).unwrap().slice(s![..;-1, 1.., ..;2]).unwrap();
        let sum = count(&view, &mut bins.slice_mut(s![..;-1, 1]).unwrap()).unwrap();
        assert_eq!(sum, expected, "{axes:?}");
        let mut counts = [7; 5];
        for ((i, j, k), _) in turned.indexed_iter() {
            counts[(i + j + k) % 5] += 1;
        }
        counts.reverse();
        let got = bins.to_ndarray().unwrap();
        assert_eq!(got.column(1).to_vec(), counts);
        assert_eq!(got.column(0).to_vec(), [7; 5]);
    }
}

fn members(device: &Device) {
    for n in SIZES {
        let particle = |k: usize| Particle {
            tag: -(k as i16),
            pos: Vec3::new(k as f32, 0.5, -1.0),
            inner: Inner {
                kind: (k % 5) as u8,
                weight: 0.125 * k as f64,
            },
        };
        let values: Vec<Particle> = (0..n).map(particle).collect();
        let kinds: Vec<u8> = (0..n).map(|k| (k % 5) as u8).collect();
        let kinds = Field::from_slice(device, &kinds).unwrap();
        let mut p = Field::from_slice(device, &values).unwrap();
        move_on(&mut p.member_mut::<Vec3>("pos").unwrap(), &kinds, 0.5).unwrap();
        let moved = |k: usize| {
            let mut value = particle(k);
            if k % 5 % 2 == 1 {
                value.pos += Vec3::new(0.5, 1.0, k as f32);
            }
            value
        };
        same("members written", &p, (0..n).map(moved).collect());

        let mut out = Field::<f64>::zeros(device, n).unwrap();
        let weights = p.member::<f64>("inner.weight").unwrap();
        double(&weights.view().slice(s![..;-1]).unwrap(), &mut out).unwrap();
        same("members read", &out, (0..n).rev().map(|k| 0.25 * k as f64).collect());
        let kind = p.member::<u8>("inner.kind").unwrap();
        assert_eq!(kind.view().to_vec().unwrap(), kinds.to_vec().unwrap());
    }
}

fn whole_views(device: &Device) {
    let shape = [5, 17];
    let source = grid(shape);
    let mut x = Field::<i64, 2>::from_ndarray(device, &source).unwrap();
    let mut host = source.clone();
    x.slice_mut(s![1..4;-1, ..;3]).unwrap().fill(-7).unwrap();
    host.slice_mut(s![1..4;-1, ..;3]).fill(-7);
    assert_eq!(x.to_ndarray().unwrap(), host);

    let other = grid([17, 2]);
    x.slice_mut(s![..2, ..]).unwrap().copy_from_ndarray(&other.t()).unwrap();
    host.slice_mut(s![..2, ..]).assign(&other.t());
    assert_eq!(x.to_ndarray().unwrap(), host);

    let y = Field::<i64, 2>::from_ndarray(device, &other).unwrap();
    let mut columns = x.slice_mut(s![..;4, ..]).unwrap();
    columns.copy_from(&y.t()).unwrap();
    columns.set([1, 3], 99).unwrap();
    assert_eq!(columns.get([1, 3]).unwrap(), 99);
    host.slice_mut(s![..;4, ..]).assign(&other.t());
    host[[4, 3]] = 99;
    assert_eq!(x.to_ndarray().unwrap(), host);
    assert_eq!(
        x.slice(s![2, ..]).unwrap().try_clone().unwrap().to_vec().unwrap(),
        host.row(2).to_vec()
    );

    let mut filled = Array::zeros([17, 5]);
    x.t().copy_to_ndarray(&mut filled).unwrap();
    assert_eq!(filled, host.t());
    assert_eq!(
        x.view().slice(s![.., NewAxis, 4]).unwrap().to_ndarray().unwrap(),
        host.column(4).insert_axis(Axis(1))
    );

    let mut vectors = Field::<Vec3>::full(device, 7, Vec3::new(1.0, 2.0, 3.0)).unwrap();
    vectors
        .slice_mut(s![1..;2])
        .unwrap()
        .copy_from_ndarray(&Array2::from_elem([3, 3], 4.0))
        .unwrap();
    for k in 0..7 {
        let expected = if k % 2 == 1 {
            Vec3::splat(4.0)
        } else {
            Vec3::new(1.0, 2.0, 3.0)
        };
        assert_eq!(vectors.slice(s![..;-1]).unwrap().get(6 - k).unwrap(), expected);
    }
}

fn errors(device: &Device) {
    let mut x = Field::<i64, 2>::zeros(device, [3, 4]).unwrap();
    let text = |error: Option<swathe::Error>| error.map(|e| e.to_string()).unwrap_or_default();
    let cases = [
        (
            text(x.slice(s![4.., ..]).err()),
            "axis 0: its length is 3, and 4 lies outside",
        ),
        (
            text(x.slice(s![.., ..-5]).err()),
            "axis 1: its length is 4, and -5 lies outside",
        ),
        (text(x.slice(s![3, ..]).err()), "axis 0 has length 3, and no position 3"),
        (
            text(x.slice(s![.., -5]).err()),
            "axis 1 has length 4, and no position -5",
        ),
        (text(x.index_axis(1, 4).err()), "axis 1 has length 4, and no position 4"),
        (text(x.index_axis(2, 0).err()), "there is no axis 2"),
        (
            text(x.split_at(1, 5).err()),
            "axis 1 has length 4, and cannot be split at 5",
        ),
        (
            text(x.permuted_axes([1, 1]).err()),
            "[1, 1] does not name every axis once",
        ),
    ];
    for (got, expected) in cases {
        assert_eq!(got, format!("slicing shape [3, 4]: {expected}"));
    }
    let shorter = Field::<i64, 2>::zeros(device, [3, 3]).unwrap();
    let error = x.view_mut().unwrap().copy_from(&shorter.view());
    assert_eq!(
        text(error.err()),
        "copying from another view: expected shape [3, 4], got [3, 3]"
    );
    let error = x.view().get([0, 4]);
    assert_eq!(text(error.err()), "no element at [0, 4] in a field of shape [3, 4]");
    // Bounds are those of the part, not of the field around it.
    let values: Vec<i64> = (0..10).collect();
    let y = Field::from_slice(device, &values).unwrap();
    let mut out = Field::<i64>::full(device, 4, -1).unwrap();
    let result = past_the_end(&y.slice(s![2..6]).unwrap(), &mut out);
    let error = text(super::support::ended(device, result).err());
    assert!(
        error.ends_with("kernel `past_the_end` accessed `x` at [4], outside its shape [4]"),
        "{error}"
    );
    same("inside the part", &out, vec![3, 4, 5, -1]);
}

fn owned(device: &Device) {
    use std::sync::{Arc, Mutex};
    let x = Arc::new(Field::from_slice(device, &[1.0, 2.0, 4.0]).unwrap());
    let out = Mutex::new(Field::zeros(device, 3).unwrap());
    double(&x, &mut out.lock().unwrap()).unwrap();
    let mut boxed = Box::new(Field::zeros(device, 3).unwrap());
    double::<f64>(&out.lock().unwrap(), &mut boxed).unwrap();
    // Through references of references, and again.
    let mut target = &mut *boxed;
    fn twice(view: FieldView<'_, f64>, out: &mut FieldViewMut<'_, f64>) {
        double(&view, out).unwrap();
        double(&view, out).unwrap();
    }
    same("behind pointers", target, vec![4.0, 8.0, 16.0]);
    twice(x.view(), &mut target.view_mut().unwrap());
    double(&x, &mut target).unwrap();
    same("views in variables", target, vec![2.0, 4.0, 8.0]);
    let n = 17;
    let line: Vec<i64> = (0..n).map(|k| k * k).collect();
    let line = Field::from_slice(device, &line).unwrap();
    let mut sums = Field::full(device, 9, 0).unwrap();
    neighbours(&line.slice(s![..;2]).unwrap(), &mut sums).unwrap();
    let expected = (0..9).map(|i| if (1..8).contains(&i) { 8 * i * i + 8 } else { 0 });
    same("neighbours", &sums, expected.collect());
}

/// Runs all of this topic.
fn reshaped<L: swathe::FieldLayout>(device: &Device, layout: L) {
    for n in [0, 1, 3, 17, 100] {
        let row = Field::from_fn(device, n, |[j]| scatter(j) as i64).unwrap();
        let row = row.with_layout(layout).unwrap();
        let mut out = Field::zeros(device, [5, n]).unwrap();
        affine(&row.broadcast([5, n]).unwrap(), &mut out, 3).unwrap();
        let expected = |i: usize, j: usize| 3 * scatter(j) as i64 + 100 * i as i64 + j as i64;
        assert_eq!(
            out.to_ndarray().unwrap(),
            Array2::from_shape_fn((5, n), |(i, j)| expected(i, j))
        );
        // Written as a list, from the other end.
        let x = Field::from_fn(device, 5 * n, |[k]| scatter(k) as f64).unwrap();
        let mut twice = Field::<f64, 3>::zeros_in(device, [n, 1, 5], layout).unwrap();
        let list = twice.reshape_mut(5 * n).unwrap().invert_axis(0).unwrap();
        double(&x, &mut { list }).unwrap();
        let back = twice.into_shape([5 * n]).unwrap().to_vec().unwrap();
        assert!(back.into_iter().rev().eq((0..5 * n).map(|k| 2.0 * scatter(k) as f64)));
    }
}

#[kernel]
fn added_up(x: &Field<i64, 2>) -> i64 {
    let mut sum = 0;
    for at in x.indices() {
        sum += x[at];
    }
    sum
}

/// A part without elements has an address in the memory that it is a part of.
fn nothing<L: FieldLayout>(device: &Device, layout: L) {
    let u = Field::<i64, 2>::from_fn(device, [7, 5], |[i, j]| (10 * i + j) as i64).unwrap();
    let u = u.with_layout(layout).unwrap();
    let turned = u.slice(s![..;-2, ..;-1]).unwrap();
    let far = u.slice(s![..;3, ..]).unwrap();
    for empty in [
        turned.split_at(0, 4).unwrap().1,
        turned.split_at(1, 5).unwrap().1,
        turned.split_at(0, 0).unwrap().0,
        far.split_at(0, 3).unwrap().1.split_at(1, 5).unwrap().1,
    ] {
        assert_eq!(added_up(&empty).unwrap(), 0);
    }
    let [whole, rest] = [turned.split_at(1, 5).unwrap().0, turned.split_at(0, 1).unwrap().1];
    assert_eq!(added_up(&whole).unwrap(), 5 * (10 * (6 + 4 + 2)) + 4 * 10);
    assert_eq!(added_up(&rest).unwrap(), 5 * (10 * (4 + 2)) + 3 * 10);
}

pub fn check(device: &Device) {
    nothing(device, swathe::Aos);
    nothing(device, swathe::Soa);
    reshaped(device, swathe::Aos);
    reshaped(device, swathe::Soa);
    slices(device);
    rows_and_parts(device);
    rank_three(device);
    members(device);
    whole_views(device);
    errors(device);
    owned(device);
}

/// CUDA C of this topic's kernels.
pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        affine,
        double<f32>,
        count,
        neighbours,
        move_on,
        set_point,
        past_the_end,
        added_up
    ]
}
