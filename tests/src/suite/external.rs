//! Arrays of `ndarray` as arguments.
// `ndarray` counts negative positions from the end.
#![allow(clippy::reversed_empty_ranges)]

use ndarray::{
    ArcArray2, Array0, Array1, Array2, Array3, ArrayView1, ArrayView2, ArrayView3, ArrayViewMut1, ArrayViewMut2, Axis,
    aview1, s,
};
use swathe::prelude::*;
use swathe::{elements, elements_mut};

use super::support::{SHAPES, SIZES, ended, scatter, sources};

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Probe {
    flag: bool,
    at: Vec3,
    level: i16,
}

#[kernel]
fn paint(img: &mut Array2<f32>, scale: f32) -> usize {
    let [h, w] = img.shape();
    for [i, j] in img.indices() {
        img[[i, j]] = img[[i, j]] * scale + (i * 100 + j) as f32;
    }
    10000 * img.len() + 100 * h + w
}

#[kernel]
fn blur(x: ArrayView2<'_, f64>, mut out: ArrayViewMut2<'_, f64>) {
    let [h, w] = x.shape();
    for [i, j] in out.indices() {
        if i > 0 && i + 1 < h && j > 0 && j + 1 < w {
            out[[i, j]] = x[[i - 1, j]] + x[[i + 1, j]] + x[[i, j - 1]] + 2.0 * x[[i, j + 1]];
        }
    }
}

/// References to views; a lifetime that is left out, one that is not named, beside a field.
#[kernel]
fn lent<T: Float>(
    x: &ArrayView2<T>,
    y: &ArrayView1<'_, T>,
    z: &ArrayView1<'_, T>,
    out: &mut ArrayViewMut2<T>,
    sums: &mut Field<T>,
) {
    for [i, j] in out.indices() {
        out[[i, j]] = x[[i, j]] + y[j] * z[i];
    }
    for i in sums.indices() {
        sums[i] = y[i] + z[i];
    }
}

#[kernel]
fn into_field(x: &Array2<i64>, out: &mut Field<i64, 2>) {
    for [i, j] in out.indices() {
        out[[i, j]] = 2 * x[[i, j]] + i as i64;
    }
}

#[kernel]
fn flip(probes: &mut Array1<Probe>, step: Vec3) {
    for i in probes.indices() {
        if probes[i].flag {
            probes[i].at += step * probes[i].level as f32;
        }
        probes[i].flag = !probes[i].flag;
    }
}

#[kernel]
fn push(x: &mut Array1<Vec3>, m: &Array1<Mat2>) {
    for i in x.indices() {
        x[i] += Vec3::new(m[i][[0, 1]], m[i][[1, 0]], i as f32);
    }
}

#[kernel]
fn total<T: Int>(x: &Array1<T>) -> T {
    let mut sum = T::ZERO;
    for i in x.indices() {
        sum += x[i];
    }
    sum
}

#[kernel]
fn add_point(x: &mut Array0<u64>, y: ArrayView3<u64>) {
    let mut sum = 0;
    for [i, j, k] in y.indices() {
        sum += y[[i, j, k]];
    }
    x[[]] = x[[]] + sum;
}

#[kernel]
fn histogram(x: ArrayView1<u32>, bins: ArrayViewMut1<i32>) {
    for i in x.indices() {
        bins[x[i] as usize].atomic_add(1);
    }
}

/// Its local array ends before `n`.
#[kernel]
fn beyond_local(x: &mut Array1<i32>, n: usize) {
    for i in x.indices() {
        let steps = [1, 2, 3];
        x[i] += 10;
        if i == 1 {
            x[i] += steps[n];
        }
    }
}

fn image([h, w]: [usize; 2]) -> Array2<f32> {
    Array2::from_shape_fn([h, w], |(i, j)| scatter(i * w + j) as f32)
}

fn images() {
    for shape @ [h, w] in SHAPES {
        let source = image([2 * h + 1, 3 * w + 2]);
        let expect = |view: ArrayView2<'_, f32>| {
            Array2::from_shape_fn(view.dim(), |(i, j)| view[[i, j]] * 0.5 + (i * 100 + j) as f32)
        };
        let mut whole = image(shape);
        let expected = expect(whole.view());
        assert_eq!(paint(&mut whole, 0.5).unwrap(), 10000 * h * w + 100 * h + w);
        assert_eq!(whole, expected);

        // Parts with steps, backwards; what lies around them stays.
        let (mut array, mut host) = (source.clone(), source.clone());
        let cut = s![1..;2, 1..-1;-3];
        paint(&mut array.slice_mut(cut), 0.5).unwrap();
        let expected = expect(source.slice(cut));
        host.slice_mut(cut).assign(&expected);
        assert_eq!(array, host);

        let (mut array, mut host) = (source.clone(), source.clone());
        paint(&mut array.view_mut().reversed_axes(), 0.5).unwrap();
        host.view_mut().reversed_axes().assign(&expect(source.t()));
        assert_eq!(array, host);

        // An array that is shared is copied before it is written.
        let shared: ArcArray2<f32> = source.to_shared();
        let mut other = shared.clone();
        paint(&mut other, 0.5).unwrap();
        assert_eq!(shared, source);
        assert_eq!(other, expect(source.view()));
    }
}

fn views() {
    for [h, w] in SHAPES {
        let x = Array2::from_shape_fn([w, h], |(j, i)| f64::from(scatter(i * w + j)) * 1e100);
        let mut out = Array2::from_elem([h, w], -1.0);
        blur(x.t(), out.view_mut()).unwrap();
        for ((i, j), got) in out.indexed_iter() {
            let t = x.t();
            let inside = i > 0 && i + 1 < h && j > 0 && j + 1 < w;
            let expected = if inside {
                t[[i - 1, j]] + t[[i + 1, j]] + t[[i, j - 1]] + 2.0 * t[[i, j + 1]]
            } else {
                -1.0
            };
            assert_eq!(*got, expected);
        }
    }
}

fn with_fields(device: &Device) {
    for shape @ [h, w] in SHAPES {
        let x = Array2::from_shape_fn([w, h], |(j, i)| i64::from(scatter(i * w + j)));
        let mut out = Field::<i64, 2>::zeros(device, shape).unwrap();
        into_field(&x.t(), &mut out).unwrap();
        let expected = Array2::from_shape_fn(shape, |(i, j)| 2 * x[[j, i]] + i as i64);
        assert_eq!(out.to_ndarray().unwrap(), expected);
        // One row for all of them: only read.
        let row = Array1::from_shape_fn(w, |j| 5 * j as i64);
        into_field(&row.broadcast([h, w]).unwrap(), &mut out.view_mut().unwrap()).unwrap();
        let expected = Array2::from_shape_fn(shape, |(i, j)| (10 * j + i) as i64);
        assert_eq!(out.to_ndarray().unwrap(), expected);
    }
    // What the host changes between two calls is seen.
    let mut x = Array2::from_elem([3, 1], 4);
    let mut out = Field::<i64, 2>::zeros(device, [3, 1]).unwrap();
    into_field(&x, &mut out).unwrap();
    x[[2, 0]] = 40;
    into_field(&x, &mut out).unwrap();
    assert_eq!(out.to_vec().unwrap(), [8, 9, 82]);
}

fn element_types() {
    for n in SIZES {
        let probe = |k: usize| Probe {
            flag: k % 3 == 0,
            at: Vec3::new(k as f32, -1.0, 0.5),
            level: k as i16 - 5,
        };
        let mut probes: Array1<Probe> = (0..2 * n).map(probe).collect();
        let mut view = probes.slice_mut(s![..;-2]);
        flip(&mut view, Vec3::new(1.0, 2.0, 3.0)).unwrap();
        for k in 0..2 * n {
            let mut expected = probe(k);
            if k % 2 == 1 {
                if expected.flag {
                    expected.at += Vec3::new(1.0, 2.0, 3.0) * expected.level as f32;
                }
                expected.flag = !expected.flag;
            }
            assert_eq!(probes[k], expected, "{k} of {n}");
        }

        // Vectors and matrices over the last axes.
        let mut x = Array2::from_shape_fn([n, 6], |(i, j)| (10 * i + j) as f32);
        let m = Array3::from_shape_fn([n, 2, 2], |(i, r, c)| (100 * i + 10 * r + c) as f32);
        let mut host = x.clone();
        {
            let mut halves = x.slice_mut(s![..;-1, 3..]);
            push(
                &mut elements_mut::<Vec3, _>(&mut halves).unwrap(),
                &elements::<Mat2, _>(&m).unwrap(),
            )
            .unwrap();
        }
        for i in 0..n {
            let add = [(100 * i + 1) as f32, (100 * i + 10) as f32, i as f32];
            let mut part = host.slice_mut(s![n - 1 - i, 3..]);
            part += &aview1(&add);
        }
        assert_eq!(x, host);
        // One element for all positions.
        let one = aview1(&[1.0_f32, 2.0, 3.0]);
        let all = one.broadcast((n, 3)).unwrap();
        let all = elements::<Vec3, _>(&all).unwrap();
        assert_eq!(all.to_vec(), vec![Vec3::new(1.0, 2.0, 3.0); n]);
    }
}

fn references(device: &Device) {
    for [h, w] in SHAPES {
        let x = Array2::from_shape_fn([h, w], |(i, j)| (i * 50 + j) as f32);
        let (y, z) = (
            Array1::from_iter((0..w).map(|j| j as f32 + 0.5)),
            Array1::from_iter((0..h).map(|i| i as f32)),
        );
        let mut out = Array2::zeros([h, w]);
        let n = h.min(w);
        let mut sums = Field::zeros(device, n).unwrap();
        let (mut whole, flipped) = (out.view_mut(), z.slice(s![..;-1]));
        ended(device, lent(&x.view(), &y.view(), &flipped, &mut whole, &mut sums)).unwrap();
        let expected = Array2::from_shape_fn([h, w], |(i, j)| x[[i, j]] + y[j] * (h - 1 - i) as f32);
        assert_eq!(out, expected);
        let expected: Vec<f32> = (0..n).map(|i| y[i] + (h - 1 - i) as f32).collect();
        assert_eq!(sums.to_vec().unwrap(), expected);
    }
}

fn ranks() {
    for n in SIZES {
        let x: Array1<i64> = (0..3 * n).map(|k| i64::from(scatter(k))).collect();
        let expected: i64 = x.iter().step_by(3).sum();
        assert_eq!(total(&x.slice(s![..;3])).unwrap(), expected);
        assert_eq!(total::<i64>(&x).unwrap(), x.sum());
    }
    let large = Array3::from_shape_fn([2, 3, 5], |(i, j, k)| u64::MAX / 64 - (100 * i + 10 * j + k) as u64);
    let mut point = Array0::from_elem((), 5);
    add_point(&mut point, large.view().permuted_axes([2, 0, 1])).unwrap();
    assert_eq!(point[()], 5 + large.sum());
    add_point(&mut point, ArrayView3::from_shape((2, 0, 3), &[]).unwrap()).unwrap();
    assert_eq!(point[()], 5 + large.sum());

    let values: Vec<u32> = (0..1000).map(|k| k * k % 7).collect();
    let mut bins = [0; 14];
    let bins_view = ArrayViewMut1::from(&mut bins[..]);
    histogram(ArrayView1::from(&values), bins_view.slice_move(s![..;-2])).unwrap();
    for (k, count) in bins.iter().rev().step_by(2).enumerate() {
        assert_eq!(*count as usize, values.iter().filter(|v| **v as usize == k).count());
    }
    assert!(bins.iter().step_by(2).all(|count| *count == 0));
}

#[kernel]
fn beyond(x: &Array1<i32>, out: &mut Array1<i32>) {
    for i in out.indices() {
        out[i] = x[i + 1];
    }
}

#[kernel]
fn beyond_and_count(x: &Array1<i32>, out: &mut Array1<i32>) -> i32 {
    let mut count = 0;
    for i in out.indices() {
        // A number of another kind, so that the loop is not in lanes: there a division ends its neighbours, too.
        out[i] = 60 / x[i as f64 as usize + 1];
        count += 1;
    }
    count
}

/// What fails on some elements has worked on the others.
fn failures(device: &Device) {
    for n in [2, 17, 1000] {
        let x: Array1<i32> = (0..n).map(|i| i % 5).collect();
        let mut all = Array1::from_elem(2 * n as usize, -7);
        let mut out = all.slice_mut(s![..;-2]);
        let error = ended(device, beyond_and_count(&x, &mut out).map(drop)).unwrap_err();
        let expected = |i: i32| {
            if i + 1 < n && (i + 1) % 5 != 0 {
                60 / ((i + 1) % 5)
            } else {
                -7
            }
        };
        for i in 0..n {
            assert_eq!(out[i as usize], expected(i), "{i} of {n}");
        }
        assert!(all.iter().step_by(2).all(|v| *v == -7));
        let failed = (0..n).filter(|i| expected(*i) == -7).count();
        let more = match failed {
            1 => String::new(),
            2 => " (and 1 more failure)".to_owned(),
            _ => format!(" (and {} more failures)", failed - 1),
        };
        let text = error.to_string();
        let least = format!("accessed `x` at [{n}], outside its shape [{n}]{more}");
        assert!(text.ends_with(&least), "{text}");
    }
    let x = Array1::from_vec(vec![1, 2, 3]);
    let mut out = Array1::from_vec(vec![0, 0, 0]);
    ended(device, beyond(&x, &mut out)).unwrap_err();
    assert_eq!(out.to_vec(), [2, 3, 0]);
    if *device != Device::cpu() {
        // What a failed kernel wrote comes back, and so does what another kernel wrote that is told of the failure.
        let error = beyond_local(&mut out, 7).unwrap_err();
        assert!(matches!(error, swathe::Error::KernelPanic { .. }), "{error}");
        assert_eq!(out.to_vec(), [12, 13, 10]);
    }
}

fn errors(device: &Device) {
    let x = Array1::from_vec(vec![1, 2, 3]);
    let mut out = Array1::from_vec(vec![0, 0, 0]);
    let text = ended(device, beyond(&x, &mut out)).unwrap_err().to_string();
    assert!(
        text.ends_with("kernel `beyond` accessed `x` at [3], outside its shape [3]"),
        "{text}"
    );
    let text = |error: Option<swathe::Error>| error.map(|e| e.to_string()).unwrap_or_default();
    let wide = Array2::<f32>::zeros([5, 4]);
    assert_eq!(
        text(elements::<Vec3, _>(&wide).err()),
        "taking an array for one of Vector<f32, 3>: expected shape [.., 3], got [5, 4]"
    );
    assert_eq!(
        text(elements::<Vec3, _>(&wide.slice(s![.., ..3])).err()),
        "taking an array for one of Vector<f32, 3>: the stride of axis 0 is no multiple of 3, the size of an element, in strides [4, 1]"
    );
    let turned = Array2::<f32>::zeros([3, 5]);
    assert_eq!(
        text(elements::<Vec3, _>(&turned.t()).err()),
        "taking an array for one of Vector<f32, 3>: the stride of axis 1 has to be 1, since elements are contiguous, in strides [1, 5]"
    );
    assert_eq!(
        text(elements::<Mat2, _>(&turned).err()),
        "taking an array for one of Matrix<f32, 2, 2>: expected shape [.., 2, 2], got [3, 5]"
    );
    let empty = Array3::<f32>::zeros([0, 5, 3]);
    let view = elements::<Vec3, _>(&empty).unwrap();
    assert_eq!((view.shape(), view.len_of(Axis(1))), (&[0, 5][..], 5));
    // Elements without size.
    let mut hollow = Array3::<f32>::zeros([2, 3, 0]);
    assert_eq!(elements::<[f32; 0], _>(&hollow).unwrap().dim(), (2, 3));
    assert_eq!(
        elements::<[f32; 0], _>(&hollow.slice(s![..;-1, ..2, ..]))
            .unwrap()
            .dim(),
        (2, 2)
    );
    let mut view = elements_mut::<[f32; 0], _>(&mut hollow).unwrap();
    view[[1, 2]] = [];
    assert_eq!(view.iter().count(), 6);
}

/// Runs all of this topic.
pub fn check(device: &Device) {
    images();
    views();
    with_fields(device);
    element_types();
    ranks();
    references(device);
    failures(device);
    errors(device);
}

/// CUDA C of this topic's kernels.
pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        paint,
        blur,
        into_field,
        flip,
        push,
        total<i64>,
        lent<f32>,
        add_point,
        histogram,
        beyond,
        beyond_and_count,
        beyond_local
    ]
}
