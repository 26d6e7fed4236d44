//! Expressions over fields, compared with loops in plain Rust.
// `ndarray` counts negative positions from the end.
#![allow(clippy::reversed_empty_ranges, clippy::manual_clamp)]

use std::fmt::Debug;

use ndarray::s;
use swathe::expression::Node;
use swathe::prelude::*;
use swathe::{Aos, Complex, Error, Expr, FieldLayout, Soa, call, f16, index, number};

use super::support::{SHAPES, SIZES};

/// Elements that differ from one another, with both signs.
fn float(i: usize) -> f32 {
    (i * 37 % 101) as f32 / 8.0 - 5.0
}

fn floats(device: &Device, n: usize) -> (Vec<f32>, Field<f32>) {
    let values: Vec<f32> = (0..n).map(float).collect();
    let field = Field::from_slice(device, &values).unwrap();
    (values, field)
}

#[track_caller]
fn is<T: Element + PartialEq + Debug, const D: usize, L: FieldLayout>(field: &Field<T, D, L>, expected: &[T]) {
    let values = field.to_vec().unwrap();
    assert_eq!(values.len(), expected.len(), "on {}", field.device());
    let differs = (0..values.len()).find(|i| values[*i] != expected[*i]);
    assert_eq!(
        differs.map(|i| (i, values[i], expected[i])),
        None,
        "on {}",
        field.device()
    );
}

/// Of any rank.
fn soft<const D: usize>(x: &Field<f32, D>) -> swathe::Result<Field<f32, D>> {
    (x * x + 1.0).strict().sqrt().eval()
}

/// Of any type and rank, as a part of others.
fn square<T: Float, const D: usize, N: Node<Item = T>>(x: Expr<T, D, N>) -> Expr<T, D, impl Node<Item = T>> {
    x * x
}

pub fn check(device: &Device) {
    lists(device);
    types(device);
    shapes(device);
    repeated(device);
    views(device);
    targets(device);
    joined(device);
    along(device);
    long(device);
    integers(device);
    methods(device);
    vectors(device);
    refused(device);
    failures(device);
    contraction(device);
    functions(device);
    corners(device);
}

fn lists(device: &Device) {
    for n in SIZES {
        let (x, f) = floats(device, n);
        let g = Field::from_fn(device, n, |[i]| i as f32 + 0.5).unwrap();
        let each = |value: &dyn Fn(f32, f32) -> f32| -> Vec<f32> {
            x.iter().enumerate().map(|(i, x)| value(*x, i as f32 + 0.5)).collect()
        };
        is(&(&f + &g).eval().unwrap(), &each(&|x, y| x + y));
        is(&(&f - &g).eval().unwrap(), &each(&|x, y| x - y));
        is(&(&f * &g).eval().unwrap(), &each(&|x, y| x * y));
        is(&(&f / &g).eval().unwrap(), &each(&|x, y| x / y));
        is(&(&f % &g).eval().unwrap(), &each(&|x, y| x % y));
        is(&(-&f).eval().unwrap(), &each(&|x, _| -x));
        is(&(1.0 - &f * &f).strict().eval().unwrap(), &each(&|x, _| 1.0 - x * x));
        is(&(&f * 2.5 + &g).strict().eval().unwrap(), &each(&|x, y| x * 2.5 + y));
        let nested = 1.0 / (1.0 + 2.0 * (&g - 0.25) * 3.0) - (&f * 2.0 - 1.0) * &f;
        let expected = each(&|x, y| 1.0 / (1.0 + 2.0 * (y - 0.25) * 3.0) - (x * 2.0 - 1.0) * x);
        is(&nested.strict().eval().unwrap(), &expected);
        is(&soft(&f).unwrap(), &each(&|x, _| (x * x + 1.0).max(0.5).sqrt()));
        is(
            &(square(f.expr() + 1.0) - &g).strict().eval().unwrap(),
            &each(&|x, y| (x + 1.0) * (x + 1.0) - y),
        );
        // An expression is a value, used twice.
        let twice = f.expr() + &g;
        is(
            &(twice * twice - twice).strict().eval().unwrap(),
            &each(&|x, y| (x + y) * (x + y) - (x + y)),
        );
    }
}

fn types(device: &Device) {
    let n = 17;
    let x = Field::from_fn(device, n, |[i]| i as f64 / 7.0).unwrap();
    is(
        &((1.0 - &x) * 3.0).eval().unwrap(),
        &(0..n).map(|i| (1.0 - i as f64 / 7.0) * 3.0).collect::<Vec<_>>(),
    );
    let h = Field::from_fn(device, n, |[i]| f16::from_f32(i as f32)).unwrap();
    let two = f16::from_f32(2.0);
    is(
        &(&h * two + &h).strict().eval().unwrap(),
        &(0..n).map(|i| f16::from_f32(3.0 * i as f32)).collect::<Vec<_>>(),
    );
    let small = Field::from_fn(device, n, |[i]| i as i8 - 8).unwrap();
    is(
        &(&small / 2 - 1).eval().unwrap(),
        &(0..n).map(|i| (i as i8 - 8) / 2 - 1).collect::<Vec<_>>(),
    );
    let odd = (&small & 1).eval().unwrap();
    is(&odd, &(0..n).map(|i| (i as i8 - 8) & 1).collect::<Vec<_>>());
    let mask = odd.expr().eq(1) & small.expr().gt(-3) | !small.expr().ne(-8);
    let expected: Vec<bool> = (0..n)
        .map(|i| i as i8 - 8)
        .map(|x| (x & 1 == 1) & (x > -3) | (x == -8))
        .collect();
    is(&mask.eval().unwrap(), &expected);
    let chosen = mask.select(&small, 100).eval().unwrap();
    is(
        &chosen,
        &(0..n)
            .map(|i| if expected[i] { i as i8 - 8 } else { 100 })
            .collect::<Vec<_>>(),
    );
    is(
        &mask.select(1.5, &x).eval().unwrap(),
        &(0..n)
            .map(|i| if expected[i] { 1.5 } else { i as f64 / 7.0 })
            .collect::<Vec<_>>(),
    );
    is(
        &small.expr().cast::<f32>().eval().unwrap(),
        &(0..n).map(|i| i as f32 - 8.0).collect::<Vec<_>>(),
    );
    is(
        &small.expr().cast::<u64>().eval().unwrap(),
        &(0..n).map(|i| (i as i8 - 8) as u64).collect::<Vec<_>>(),
    );
    is(
        &(x.expr() * 1e12).cast::<i32>().eval().unwrap(),
        &(0..n).map(|i| (i as f64 / 7.0 * 1e12) as i32).collect::<Vec<_>>(),
    );
    is(
        &small.expr().le(3).cast::<u8>().eval().unwrap(),
        &(0..n).map(|i| u8::from(i as i8 - 8 <= 3)).collect::<Vec<_>>(),
    );
    let u = Field::from_fn(device, n, |[i]| i as u32).unwrap();
    is(
        &(&u << 3_u32 ^ 5).eval().unwrap(),
        &(0..n as u32).map(|i| i << 3 ^ 5).collect::<Vec<_>>(),
    );
}

fn shapes(device: &Device) {
    for [h, w] in SHAPES {
        let all = Field::from_fn(device, [h, w], |[i, j]| (100 * i + j) as i64).unwrap();
        let column = Field::from_fn(device, [h, 1], |[i, _]| 7 * i as i64 + 1).unwrap();
        let row = Field::from_fn(device, w, |[j]| 3 * j as i64 - 4).unwrap();
        let one = Field::<i64, 0>::full(device, [], 9).unwrap();
        let grid = |value: &dyn Fn(i64, i64) -> i64| -> Vec<i64> {
            (0..h * w).map(|k| value((k / w) as i64, (k % w) as i64)).collect()
        };
        is(
            &(&all + &column).eval().unwrap(),
            &grid(&|i, j| 100 * i + j + 7 * i + 1),
        );
        is(
            &(&column * &row).eval().unwrap(),
            &grid(&|i, j| (7 * i + 1) * (3 * j - 4)),
        );
        is(&(&row - &all).eval().unwrap(), &grid(&|i, j| 3 * j - 4 - 100 * i - j));
        is(
            &(&one * &all + &one).eval().unwrap(),
            &grid(&|i, j| 9 * (100 * i + j) + 9),
        );
        let positions = index::<2>(0) * 10 + index::<2>(1);
        is(
            &(positions.cast::<i64>() - &all).eval().unwrap(),
            &grid(&|i, j| 10 * i + j - 100 * i - j),
        );
        let filled = (&row + &one).eval_in(device, [w], Soa).unwrap();
        is(&filled, &(0..w as i64).map(|j| 3 * j + 5).collect::<Vec<_>>());
        let sum = (&column + &row).sum().unwrap();
        assert_eq!(sum, grid(&|i, j| 7 * i + 1 + 3 * j - 4).iter().sum::<i64>());
    }
    // Of three axes, whose last is short.
    let cube = Field::from_fn(device, [5, 40, 3], |[i, j, k]| (1000 * i + 10 * j + k) as i32).unwrap();
    let weights = Field::from_slice(device, &[1, 10, 100]).unwrap();
    let rows = Field::from_fn(device, [40, 1], |[j, _]| j as i32).unwrap();
    let expected: Vec<i32> = (0..600)
        .map(|n| (n / 120, n / 3 % 40, n % 3))
        .map(|(i, j, k)| (1000 * i + 10 * j + k) * [1, 10, 100][k as usize] - j)
        .collect();
    is(&(&cube * &weights - &rows).eval().unwrap(), &expected);
    let six = Field::from_fn(device, [2, 1, 3, 1, 2, 1], |[a, _, c, _, e, _]| {
        (100 * a + 10 * c + e) as i32
    })
    .unwrap();
    let other = Field::from_fn(device, [4, 1, 2, 1, 5], |[b, _, d, _, f]| (1000 * b + 7 * d + f) as i32).unwrap();
    let joined = (&six + &other).eval().unwrap();
    assert_eq!(joined.shape(), [2, 4, 3, 2, 2, 5]);
    assert_eq!(joined.get([1, 3, 2, 1, 0, 4]).unwrap(), 100 + 20 + 3000 + 7 + 4);
    assert_eq!(joined.expr().max_element().unwrap(), Some(121 + 3000 + 7 + 4));
}

/// Operands that are repeated along any axes, in rows short and long, and in parts of rows.
fn repeated(device: &Device) {
    for [a, b, c] in [
        [3, 1, 7],
        [2, 5, 1],
        [4, 1001, 3],
        [7, 301, 5],
        [3, 47, 70],
        [2, 33, 130],
        [2, 9, 300],
        [1, 5, 1000],
    ] {
        let number = |i: usize, j: usize, k: usize| (i * 7919 + j * 101 + k * 13 + 5) as i32 % 4093 - 2000;
        // The operand without some of its axes.
        let without = |[i, j, k]: [bool; 3]| {
            let shape = [if i { 1 } else { a }, if j { 1 } else { b }, if k { 1 } else { c }];
            Field::from_fn(device, shape, |[i, j, k]| number(i, j, k)).unwrap()
        };
        let x = without([false; 3]);
        let (slab, row) = (without([true, false, false]), without([true, true, false]));
        let (plane, column) = (without([false, false, true]), without([true, false, true]));
        let (page, line) = (without([false, true, true]), without([false, true, false]));
        let planes = line.expr().eval_in(device, [a, 1, c], Soa).unwrap();
        let grid = |value: &dyn Fn(usize, usize, usize) -> i32| -> Vec<i32> {
            (0..a * b * c).map(|n| value(n / (b * c), n / c % b, n % c)).collect()
        };
        let n = number;
        is(
            &(&x + &slab * 2 - &row).eval().unwrap(),
            &grid(&|i, j, k| n(i, j, k) + n(0, j, k) * 2 - n(0, 0, k)),
        );
        is(
            &(&column * &page + &line).eval().unwrap(),
            &grid(&|i, j, k| n(0, j, 0) * n(i, 0, 0) + n(i, 0, k)),
        );
        is(
            &(&plane - &row * &planes).eval().unwrap(),
            &grid(&|i, j, k| n(i, j, 0) - n(0, 0, k) * n(i, 0, k)),
        );
        let sum = |values: Vec<i32>| values.iter().map(|x| i64::from(*x)).sum::<i64>();
        assert_eq!(
            (&plane + &slab * &page).cast::<i64>().sum().unwrap(),
            sum(grid(&|i, j, k| n(i, j, 0) + n(0, j, k) * n(i, 0, 0)))
        );
        assert_eq!(
            (&column - &line).cast::<i64>().sum().unwrap(),
            sum(grid(&|i, j, k| n(0, j, 0) - n(i, 0, k)))
        );
        // Columns and rows that are not beside each other, to where rows are apart.
        let turned = Field::from_fn(device, [c, b], |[k, j]| number(1, j, k)).unwrap();
        let mut wide = Field::full(device, [a, b, 2 * c + 1], 3).unwrap();
        for (from, step) in [(1, 1), (0, 2)] {
            let end = from + (c as isize - 1) * step + 1;
            let mut target = wide.slice_mut::<3>(s![.., .., from..end; step]).unwrap();
            target.update(|t| t + turned.t() * &page - &row).unwrap();
        }
        let added = |i, j, k| n(1, j, k) * n(i, 0, 0) - n(0, 0, k);
        let expected: Vec<i32> = (0..a * b * (2 * c + 1))
            .map(|m| (m / b / (2 * c + 1), m / (2 * c + 1) % b, m % (2 * c + 1)))
            .map(|(i, j, k)| {
                let first = if (1..=c).contains(&k) { added(i, j, k - 1) } else { 0 };
                3 + first + if k % 2 == 0 && k < 2 * c { added(i, j, k / 2) } else { 0 }
            })
            .collect();
        is(&wide, &expected);
        // Elements of several scalars.
        let vector = |i: usize, j: usize, k: usize| IVec3::new(n(i, j, k), n(k, i, j), n(j, k, i));
        let vectors = Field::from_fn(device, [b, 1], |[j, _]| vector(0, j, 0)).unwrap();
        let ends = Field::from_fn(device, [a, 1, c], |[i, _, k]| vector(i, 0, k)).unwrap();
        let ends = ends.expr().eval_in(device, [a, 1, c], Soa).unwrap();
        let expected: Vec<IVec3> = (0..a * b * c)
            .map(|m| (m / (b * c), m / c % b, m % c))
            .map(|(i, j, k)| vector(0, j, 0) + vector(i, 0, k) * n(i, j, k))
            .collect();
        is(&(&vectors + &ends * &x).eval().unwrap(), &expected);
    }
}

fn views(device: &Device) {
    for [h, w] in SHAPES {
        let a = Field::from_fn(device, [h, w], |[i, j]| (100 * i + j) as i32).unwrap();
        let b = Field::from_fn(device, [w, h], |[j, i]| (1000 * j + i) as i32).unwrap();
        let planes = a.expr().eval_in(device, [h, w], Soa).unwrap();
        let expected: Vec<i32> = (0..h * w)
            .map(|k| (k / w, k % w))
            .map(|(i, j)| (100 * i + j + 1000 * j + i) as i32)
            .collect();
        is(&(&a + b.t()).eval().unwrap(), &expected);
        is(&(&planes + b.t()).eval().unwrap(), &expected);
        is(&(b.t() + &a).eval_in(device, [h, w], Soa).unwrap(), &expected);
        let turned = (a.slice::<2>(s![..;-1, ..;2]).unwrap() * 2).eval().unwrap();
        let columns = w.div_ceil(2);
        let expected: Vec<i32> = (0..h * columns)
            .map(|k| (k / columns, k % columns))
            .map(|(i, j)| 2 * (100 * (h - 1 - i) + 2 * j) as i32)
            .collect();
        is(&turned, &expected);
    }
    // Neighbours by slices of one field.
    let u = Field::from_fn(device, 1000, |[i]| (i * i % 97) as f64).unwrap();
    let laplace =
        u.slice::<1>(s![2..]).unwrap() - 2.0 * u.slice::<1>(s![1..-1]).unwrap() + u.slice::<1>(s![..-2]).unwrap();
    let value = |i: usize| (i * i % 97) as f64;
    let expected: Vec<f64> = (1..999).map(|i| value(i + 1) - 2.0 * value(i) + value(i - 1)).collect();
    is(&laplace.eval().unwrap(), &expected);
}

fn targets(device: &Device) {
    for [h, w] in SHAPES {
        let row = Field::from_fn(device, w, |[j]| j as i32 + 1).unwrap();
        let mut a = Field::from_fn(device, [h, w], |[i, j]| (100 * i + j) as i32).unwrap();
        let mut planes = Field::<i32, 2>::zeros_in(device, [h, w], Soa).unwrap();
        planes.assign(&a * 3 - &row).unwrap();
        a.update(|a| a * 3 - &row).unwrap();
        assert_eq!(a.to_vec().unwrap(), planes.to_vec().unwrap());
        let expected: Vec<i32> = (0..h * w)
            .map(|k| (k / w, k % w))
            .map(|(i, j)| (3 * (100 * i + j)) as i32 - (j as i32 + 1))
            .collect();
        is(&a, &expected);
        // Every second row, backwards: the others stay.
        let mut part = a.slice_mut::<2>(s![..;-2, ..]).unwrap();
        part.update(|x| x * x + &row).unwrap();
        let expected: Vec<i32> = (0..h * w)
            .map(|k| match (h - 1 - k / w) % 2 {
                0 => expected[k].wrapping_mul(expected[k]) + (k % w) as i32 + 1,
                _ => expected[k],
            })
            .collect();
        is(&a, &expected);
        a.assign(7).unwrap();
        is(&a, &vec![7; h * w]);
        a.assign(&row).unwrap();
        is(&a, &(0..h * w).map(|k| (k % w) as i32 + 1).collect::<Vec<_>>());
        // A clone keeps what was.
        let before = a.try_clone().unwrap();
        a.update(|a| -a).unwrap();
        is(&before, &(0..h * w).map(|k| (k % w) as i32 + 1).collect::<Vec<_>>());
        is(&a, &(0..h * w).map(|k| -((k % w) as i32 + 1)).collect::<Vec<_>>());
    }
}

fn joined(device: &Device) {
    for n in SIZES {
        let x = Field::from_fn(device, n, |[i]| (i * 31 % 64) as f64 - 20.0).unwrap();
        let values: Vec<f64> = (0..n).map(|i| (i * 31 % 64) as f64 - 20.0).collect();
        // Sums of integers in floats are exact.
        assert_eq!(
            (&x * &x + 1.0).sum().unwrap(),
            values.iter().map(|x| x * x + 1.0).sum::<f64>()
        );
        assert_eq!(
            (&x * 2.0).min_element().unwrap(),
            values.iter().map(|x| x * 2.0).reduce(f64::min)
        );
        assert_eq!((-&x).max_element().unwrap(), values.iter().map(|x| -x).reduce(f64::max));
        assert!(x.expr().gt(-21.0).all().unwrap());
        assert_eq!(x.expr().eq(-20.0).any().unwrap(), n > 0);
        assert!(!(&x * 0.0).eq(1.0).any().unwrap());
        let mean = (&x + 1.0).mean().unwrap();
        assert_eq!(
            mean,
            (n > 0).then(|| values.iter().map(|x| x + 1.0).sum::<f64>() / n as f64)
        );
        let k = Field::from_fn(device, n, |[i]| i as u32 * 2 + 1).unwrap();
        let product = (0..n as u32).fold(1_u32, |p, i| p.wrapping_mul(i * 2 + 1));
        assert_eq!(k.expr().product().unwrap(), product);
        let v = Field::from_fn(device, n, |[i]| IVec3::new(i as i32, 1, -(i as i32))).unwrap();
        let sum = (0..n as i32).fold(IVec3::ZERO, |s, i| s + IVec3::new(2 * i, 2, -2 * i));
        assert_eq!((&v * 2).sum().unwrap(), sum);
    }
    // So many are no number of 16 bits.
    let one = Field::from_fn(device, 70_000, |[i]| f16::from_f32(if i == 7 { 1.0 } else { 0.0 })).unwrap();
    assert_eq!(one.expr().mean().unwrap(), Some(f16::from_f64(1.0 / 70_000.0)));
    let nan = Field::from_slice(device, &[f32::NAN, 2.0, f32::NAN]).unwrap();
    assert_eq!(nan.expr().max_element().unwrap(), Some(2.0));
}

/// Along each axis, of shapes with few and many results, short and long rows, and pieces of an axis.
fn along(device: &Device) {
    let shapes = [
        [0, 3, 2],
        [2, 0, 3],
        [3, 2, 0],
        [1, 1, 1],
        [3, 17, 5],
        [2, 3, 1000],
        [40, 1, 33],
        [1, 70_001, 1],
        [1, 30_011, 3],
        [2, 40, 1700],
        [70_003, 1, 2],
    ];
    for shape in shapes {
        let x = Field::from_fn(device, shape, |[i, j, k]| {
            ((i * 7 + j * 31 + k * 13) % 64) as f64 - 20.0
        })
        .unwrap();
        let y = Field::from_fn(device, shape[2], |[k]| k as f64 + 1.0).unwrap();
        let k = Field::from_fn(device, shape, |[i, j, k]| (i + 3 * j + 5 * k) as u32).unwrap();
        let numbers = x.to_ndarray().unwrap();
        for axis in 0..3 {
            let of = |value: &dyn Fn(f64, usize) -> f64, start: f64, join: &dyn Fn(f64, f64) -> f64| -> Vec<f64> {
                let values = ndarray::Array3::from_shape_fn(shape, |(i, j, k)| value(numbers[[i, j, k]], k));
                let joined = values.map_axis(ndarray::Axis(axis), |line| line.iter().copied().fold(start, join));
                joined.into_iter().collect()
            };
            let weighted: Field<f64, 2> = (&x * &y + 1.0).sum_axis(axis).unwrap();
            is(&weighted, &of(&|x, k| x * (k + 1) as f64 + 1.0, 0.0, &|a, b| a + b));
            // Neither a list nor in this order.
            let turned = (x.t() - 3.0).sum_axis(2 - axis).unwrap().t().try_clone().unwrap();
            is(&turned, &of(&|x, _| x - 3.0, 0.0, &|a, b| a + b));
            let signs = x.expr().signum().product_axis(axis).unwrap();
            is(&signs, &of(&|x, _| x.signum(), 1.0, &|a, b| a * b));
            let all = x.expr().lt(43.0).all_axis(axis).unwrap().to_vec().unwrap();
            let greatest = of(&|x, _| x, f64::NEG_INFINITY, &f64::max);
            assert_eq!(all, greatest.iter().map(|x| *x < 43.0).collect::<Vec<_>>());
            let any = x.expr().eq(-20.0).any_axis(axis).unwrap().to_vec().unwrap();
            let least = of(&|x, _| x, f64::INFINITY, &f64::min);
            assert_eq!(any, least.iter().map(|x| *x == -20.0).collect::<Vec<_>>());
            // What may fail.
            let halves = (&k / 2).sum_axis(axis).unwrap().to_vec().unwrap();
            let expected = k
                .to_ndarray()
                .unwrap()
                .map_axis(ndarray::Axis(axis), |line| line.iter().map(|k| k / 2).sum());
            assert_eq!(halves, expected.into_iter().collect::<Vec<u32>>());
        }
        assert!(
            (&x + 1.0)
                .sum_axis(3)
                .unwrap_err()
                .to_string()
                .ends_with("there is no axis 3")
        );
        // On a GPU what failed is told by who waits for it.
        let failed = (1 / &(&k * 0).eval().unwrap())
            .sum_axis(1)
            .and_then(|sums| sums.to_vec());
        assert_eq!(failed.is_err(), !x.is_empty(), "{failed:?}");
    }
    // Without an operand it is computed on the default device.
    assert_eq!(number::<2>().sum_axis(0).unwrap().to_vec().unwrap(), [0]);
    // No elements are stored between: of these there would be too many to count.
    let a = Field::<f32, 3>::zeros(device, [1 << 40, 1, 0]).unwrap();
    let b = Field::<f32, 3>::zeros(device, [1, 1 << 40, 0]).unwrap();
    assert_eq!((&a + &b).sum_axis(1).unwrap().shape(), [1 << 40, 0]);
    for n in [0, 1, 600, 3000] {
        let zeros = Field::full(device, [2, n, 3], -0.0_f64).unwrap();
        for (axis, sums) in [(0, 3 * n), (1, 6), (2, 2 * n)] {
            let bits: Vec<u64> = zeros
                .expr()
                .sum_axis(axis)
                .unwrap()
                .to_vec()
                .unwrap()
                .iter()
                .map(|x| x.to_bits())
                .collect();
            assert_eq!(bits, vec![0; sums], "along axis {axis}");
        }
    }
    // Equal lines have equal sums, and long sums keep their digits.
    for n in [200, 512, 513, 1_000_000] {
        let tenths = Field::from_fn(device, n, |[i]| 0.1 + (i % 7) as f32 * 1e-3).unwrap();
        let exact: f64 = tenths.to_vec().unwrap().iter().map(|x| f64::from(*x)).sum();
        let lines = tenths
            .broadcast([3, n])
            .unwrap()
            .expr()
            .sum_axis(1)
            .unwrap()
            .to_vec()
            .unwrap();
        assert!(lines.iter().all(|sum| sum.to_bits() == lines[0].to_bits()), "{lines:?}");
        let columns = tenths
            .reshape([n, 1])
            .unwrap()
            .broadcast([n, 70])
            .unwrap()
            .expr()
            .sum_axis(0)
            .unwrap();
        for sum in lines.into_iter().chain(columns.to_vec().unwrap()) {
            assert!((f64::from(sum) - exact).abs() < 1e-5 * exact, "{sum}, expected {exact}");
        }
    }
    let h = Field::from_fn(device, [4100, 2], |[_, k]| f16::from_f32(k as f32 + 1.0)).unwrap();
    // In 16 bits 1 is added to 2048 in vain.
    assert_eq!(
        h.expr().sum_axis(0).unwrap().to_vec().unwrap(),
        [4100.0, 8200.0].map(f16::from_f32)
    );
    let number = Field::full(device, [], 1.5_f32).unwrap();
    // One element at more positions than memory has.
    let many = number.broadcast([1 << 20, 1 << 20, 1 << 20, 2]).unwrap();
    assert!(matches!(
        many.expr().sum_axis(3),
        Err(Error::OutOfMemory { .. } | Error::SizeOverflow { .. })
    ));
}

/// More elements than a thread takes at once, and more operands than are compared with a target.
fn long(device: &Device) {
    for n in [513, 4099, 150_001] {
        let (x, f) = floats(device, n);
        let y: Vec<f32> = (0..n).map(|i| (i % 4096) as f32 * 0.25).collect();
        let g = Field::from_slice(device, &y).unwrap();
        let both = || x.iter().copied().zip(y.iter().copied());
        let mut h = g.try_clone().unwrap();
        h.update(|h| (&f * 2.5 + h).strict()).unwrap();
        is(&h, &both().map(|(x, y)| x * 2.5 + y).collect::<Vec<_>>());
        let nine = || &f + &g + &f + &g + &f + &g + &f + &g + &f;
        let added = |x: f32, y: f32| x + y + x + y + x + y + x + y + x;
        h.assign(nine()).unwrap();
        is(&h, &both().map(|(x, y)| added(x, y)).collect::<Vec<_>>());
        h.update(|h| h - nine() + &g).unwrap();
        is(&h, &y);
        let mut part = h.slice_mut::<1>(s![1..-1]).unwrap();
        part.update(|h| h * 0.5 - f.slice::<1>(s![2..]).unwrap()).unwrap();
        let inner = |i: usize| (1..n - 1).contains(&i);
        let expected = |i: usize| if inner(i) { y[i] * 0.5 - x[i + 1] } else { y[i] };
        is(&h, &(0..n).map(expected).collect::<Vec<_>>());
        // Sums of multiples of an eighth are exact.
        let exact = x.iter().map(|x| f64::from(*x)).sum::<f64>();
        assert_eq!(f.expr().cast::<f64>().sum().unwrap(), exact);
        assert_eq!(f.expr().cast::<f64>().mean().unwrap(), Some(exact / n as f64));
        let apart = f.slice::<1>(s![..;-3]).unwrap();
        let exact = x.iter().rev().step_by(3).map(|x| f64::from(*x)).sum::<f64>();
        assert_eq!(apart.expr().cast::<f64>().sum().unwrap(), exact);
        let greater = f.expr().gt(1.25).cast::<u32>();
        assert_eq!(greater.sum().unwrap() as usize, x.iter().filter(|x| **x > 1.25).count());
        assert_eq!(
            (&f * &g).max_element().unwrap(),
            both().map(|(x, y)| x * y).reduce(f32::max)
        );
        let last = y[n - 1] + 4096.0;
        h.assign(&g).unwrap();
        h.set(n - 1, last).unwrap();
        assert!(h.expr().eq(last).any().unwrap() && !h.expr().lt(last).all().unwrap());
        // Numbers of elements need room of their own.
        let odd = (f.expr().cast::<f64>() * 0.0 + number::<1>().cast::<f64>())
            .sum()
            .unwrap();
        assert_eq!(odd, (n * (n - 1) / 2) as f64);
    }
}

fn integers(device: &Device) {
    let x = Field::from_fn(device, 100, |[i]| i as i32 - 50).unwrap();
    is(&(&x % 7).eval().unwrap(), &(-50..50).map(|x| x % 7).collect::<Vec<_>>());
    is(
        &x.expr().abs().eval().unwrap(),
        &(-50_i32..50).map(i32::abs).collect::<Vec<_>>(),
    );
    is(
        &x.expr().wrapping_mul(1 << 30).eval().unwrap(),
        &(-50_i32..50).map(|x| x.wrapping_mul(1 << 30)).collect::<Vec<_>>(),
    );
    is(
        &x.expr().clamp(-3, 4).eval().unwrap(),
        &(-50_i32..50).map(|x| x.clamp(-3, 4)).collect::<Vec<_>>(),
    );
    is(
        &x.expr().min(0).max(-9).eval().unwrap(),
        &(-50_i32..50).map(|x| x.min(0).max(-9)).collect::<Vec<_>>(),
    );
    is(
        &x.expr().abs_diff(5).eval().unwrap(),
        &(-50_i32..50).map(|x| x.abs_diff(5)).collect::<Vec<_>>(),
    );
    is(
        &x.expr().count_ones().eval().unwrap(),
        &(-50_i32..50).map(i32::count_ones).collect::<Vec<_>>(),
    );
}

fn methods(device: &Device) {
    let (x, f) = floats(device, 300);
    let each = |value: &dyn Fn(f32) -> f32| -> Vec<f32> { x.iter().map(|x| value(*x)).collect() };
    is(&f.expr().abs().sqrt().eval().unwrap(), &each(&|x| x.abs().sqrt()));
    is(&f.expr().floor().eval().unwrap(), &each(&f32::floor));
    is(&f.expr().signum().eval().unwrap(), &each(&f32::signum));
    is(
        &f.expr().mul_add(2.0, &f).eval().unwrap(),
        &each(&|x| x.mul_add(2.0, x)),
    );
    is(&f.expr().rem_euclid(1.5).eval().unwrap(), &each(&|x| x.rem_euclid(1.5)));
    is(&f.expr().powi(3).strict().eval().unwrap(), &each(&|x| x * x * x));
    is(
        &f.expr().min(1.0).max(-1.0).eval().unwrap(),
        &each(&|x| x.min(1.0).max(-1.0)),
    );
    is(
        &f.expr().clamp(-1.0, &f * 0.0 + 2.0).eval().unwrap(),
        &each(&|x| x.clamp(-1.0, 2.0)),
    );
    is(&f.expr().copysign(-1.0).eval().unwrap(), &each(&|x| x.copysign(-1.0)));
    let bits: Vec<u32> = x.iter().map(|x| x.to_bits()).collect();
    is(&f.expr().to_bits().eval().unwrap(), &bits);
    is(&f.expr().is_nan().eval().unwrap(), &vec![false; 300]);
    let close = |field: Field<f32>, expected: Vec<f32>| {
        for (x, y) in field.to_vec().unwrap().into_iter().zip(expected) {
            assert!((x - y).abs() <= 4e-6 * y.abs().max(1.0), "{x} and {y} on {device}");
        }
    };
    close(f.expr().sin().eval().unwrap(), each(&f32::sin));
    close((&f * 0.1).exp().eval().unwrap(), each(&|x| (x * 0.1).exp()));
    close(f.expr().tanh().eval().unwrap(), each(&f32::tanh));
    close(f.expr().atan2(1.5).eval().unwrap(), each(&|x| x.atan2(1.5)));
    close(f.expr().abs().powf(0.7).eval().unwrap(), each(&|x| x.abs().powf(0.7)));
    close(
        (f.expr().abs() + 0.5).ln().eval().unwrap(),
        each(&|x| (x.abs() + 0.5).ln()),
    );
}

fn vectors(device: &Device) {
    for n in SIZES {
        let vector = |i: usize| Vec3::new(i as f32, 1.0 - i as f32, 0.5);
        let v = Field::from_fn(device, n, |[i]| vector(i)).unwrap();
        let w = v.expr().eval_in(device, n, Soa).unwrap();
        let (x, f) = floats(device, n);
        let each =
            |value: &dyn Fn(Vec3, f32) -> Vec3| -> Vec<Vec3> { (0..n).map(|i| value(vector(i), x[i])).collect() };
        is(&(&v * &f).eval().unwrap(), &each(&|v, x| v * x));
        is(
            &(2.0 * &v - Vec3::ONE).strict().eval().unwrap(),
            &each(&|v, _| 2.0 * v - Vec3::ONE),
        );
        is(
            &(Vec3::new(1.0, 2.0, 3.0) * &w).eval_in(device, n, Soa).unwrap(),
            &each(&|v, _| Vec3::new(1.0, 2.0, 3.0) * v),
        );
        is(&(Vec3::ONE * &f).eval().unwrap(), &each(&|_, x| Vec3::ONE * x));
        let dots: Vec<f32> = (0..n).map(|i| vector(i).dot(Vec3::new(1.0, -1.0, 2.0))).collect();
        is(&w.expr().dot(Vec3::new(1.0, -1.0, 2.0)).strict().eval().unwrap(), &dots);
        is(
            &v.expr().cross(&w).eval().unwrap().expr().length().eval().unwrap(),
            &vec![0.0; n],
        );
        let m = Field::from_fn(device, n, |[i]| Mat2::from_array([[1.0, i as f32], [2.0, 3.0]])).unwrap();
        let u = Field::from_fn(device, n, |[i]| Vec2::new(i as f32, 1.0)).unwrap();
        let expected: Vec<Vec2> = (0..n)
            .map(|i| Vec2::new(2.0 * i as f32, 2.0 * i as f32 + 3.0))
            .collect();
        is(&(&m * &u).eval().unwrap(), &expected);
        let rows: Vec<Vec2> = (0..n)
            .map(|i| Vec2::new(i as f32 + 2.0, (i * i) as f32 + 3.0))
            .collect();
        is(&(&u * &m).eval().unwrap(), &rows);
        let rows: Vec<Vec2> = (0..n).map(|i| Vec2::new(3.0, i as f32 + 3.0)).collect();
        is(&(Vec2::ONE * &m).eval().unwrap(), &rows);
        is(&(&m * 2.0).trace().eval().unwrap(), &vec![8.0; n]);
        let c = Field::from_fn(device, n, |[i]| Complex::new(i as f64, -1.0)).unwrap();
        let expected: Vec<Complex<f64>> = (0..n)
            .map(|i| Complex::new(i as f64, -1.0))
            .map(|c| 2.0 * c + Complex::new(0.0, 1.0))
            .collect();
        is(&(2.0 * &c + Complex::new(0.0, 1.0)).strict().eval().unwrap(), &expected);
    }
}

fn refused(device: &Device) {
    let (a, b) = (
        Field::<f32, 2>::zeros(device, [3, 4]).unwrap(),
        Field::<f32>::zeros(device, 3).unwrap(),
    );
    let error = (&a * 2.0 + &b).eval().unwrap_err();
    let expected = Error::Broadcast {
        operator: "+",
        left: vec![3, 4],
        right: vec![3],
        axis: 1,
    };
    assert_eq!(error, expected);
    // The first pair that clashes, not the outermost.
    assert_eq!((1.0 - (&a + &b).sqrt()).sum().unwrap_err(), expected);
    let mut c = Field::<f32, 2>::full(device, [3, 1], 5.0).unwrap();
    let error = c.assign(&a).unwrap_err();
    assert!(
        matches!(&error, Error::Shape { expected, got, .. } if expected == "[3, 1]" && got == &[3, 4]),
        "{error}"
    );
    assert!(matches!(
        a.expr().eval_in(device, [3, 5], Aos),
        Err(Error::Shape { .. })
    ));
    // What leaves an update is of no use elsewhere.
    let mut kept = None;
    c.update(|x| {
        kept = Some(x);
        x + 1.0
    })
    .unwrap();
    let kept = kept.unwrap();
    assert_eq!(kept.eval().unwrap_err(), Error::OutsideUpdate);
    assert_eq!(c.update(|_| kept * 2.0).unwrap_err(), Error::OutsideUpdate);
    assert_eq!((kept + 1.0).sum().unwrap_err(), Error::OutsideUpdate);
    is(&c, &[6.0; 3]);
    if *device != Device::cpu() {
        let there = Field::<f32>::zeros(&Device::cpu(), 4).unwrap();
        assert!(matches!((&a + &there).eval(), Err(Error::DeviceMismatch { .. })));
        assert!(matches!(
            a.expr().eval_in(&Device::cpu(), [3, 4], Aos),
            Err(Error::DeviceMismatch { .. })
        ));
    }
}

fn failures(device: &Device) {
    for n in [1, 3, 17, 64, 65, 1000] {
        let x = Field::from_fn(device, n, |[i]| i as i32 * 10).unwrap();
        let y = Field::from_fn(device, n, |[i]| i as i32 % 5).unwrap();
        let mut out = Field::full(device, n, -1).unwrap();
        let ended = out.assign(&x / &y).and_then(|()| device.synchronize());
        let Err(Error::KernelFailure { message, count, .. }) = ended else {
            panic!("{ended:?} on {device}")
        };
        assert_eq!((message.as_str(), count), ("attempt to divide by zero", n.div_ceil(5)));
        let expected: Vec<i32> = (0..n as i32)
            .map(|i| if i % 5 == 0 { -1 } else { i * 10 / (i % 5) })
            .collect();
        is(&out, &expected);
        let ended = (&x % &y).eval().and_then(|field| field.to_vec());
        assert!(matches!(ended, Err(Error::KernelFailure { .. })), "{ended:?}");
    }
    let least = Field::full(device, 3, i32::MIN).unwrap();
    let ended = (&least / -1).sum();
    assert!(
        matches!(&ended, Err(Error::KernelFailure { message, .. }) if message == "attempt to divide with overflow"),
        "{ended:?}"
    );
}

/// By default as a kernel has it, and so within what one rounding makes.
fn contraction(device: &Device) {
    #[kernel]
    fn chain(x: &Field<f32>, y: &Field<f32>, out: &mut Field<f32>) {
        for i in out.indices() {
            out[i] = x[i] * y[i] - y[i] * y[i] + (2.0 - x[i] * x[i]);
        }
    }
    let x = Field::from_fn(device, 1000, |[i]| 1.0 + i as f32 / 4096.0).unwrap();
    let y = Field::from_fn(device, 1000, |[i]| 3.0 - i as f32 / 1111.0).unwrap();
    let mut out = Field::zeros(device, 1000).unwrap();
    chain(&x, &y, &mut out).unwrap();
    let same = (&x * &y - &y * &y + (2.0 - &x * &x)).eval().unwrap();
    is(&same, &out.to_vec().unwrap());
}

mod other {
    use swathe::prelude::*;

    #[func]
    pub fn scaled<T: Float>(x: T, by: T) -> T {
        assert!(by != T::ZERO, "by nothing");
        x / by
    }
}

#[func]
fn steps(x: f32) -> i32 {
    let mut n = 0;
    let mut rest = x;
    while rest > 0.5 {
        rest -= 0.5;
        n += 1;
    }
    n
}

fn functions(device: &Device) {
    let (x, f) = floats(device, 300);
    is(
        &(&f + 5.0).map(call!(steps(_))).eval().unwrap(),
        &x.iter().map(|x| steps(x + 5.0)).collect::<Vec<_>>(),
    );
    let halves = f.expr().zip(2.0, call!(other::scaled(_, _))).map(call!(self::steps(_)));
    is(
        &halves.eval().unwrap(),
        &x.iter().map(|x| steps(x / 2.0)).collect::<Vec<_>>(),
    );
    let ended = f
        .expr()
        .zip(&f * 0.0, call!(other::scaled(_, _)))
        .eval()
        .and_then(|field| field.to_vec());
    assert!(
        matches!(&ended, Err(Error::KernelFailure { message, .. }) if message == "by nothing"),
        "{ended:?}"
    );
    // Random numbers are those of a kernel.
    #[kernel]
    fn normal(out: &mut Field<f64, 2>) {
        let w = out.shape()[1];
        for [i, j] in out.indices() {
            let mut rng = Rng::new(7, (i * w + j) as u64);
            out[[i, j]] = 10.0 + 2.0 * rng.normal_f64();
        }
    }
    let (mut a, mut b) = (
        Field::zeros(device, [17, 5]).unwrap(),
        Field::zeros(device, [17, 5]).unwrap(),
    );
    a.fill_normal(7, 10.0, 2.0).unwrap();
    normal(&mut b).unwrap();
    assert!((&a - &b).abs().max_element().unwrap().unwrap() < 1e-13, "on {device}");
    let numbers = (number::<3>() % 7).eval_in(device, [3, 5, 2], Soa).unwrap();
    is(&numbers, &(0..30).map(|i| i % 7).collect::<Vec<u64>>());
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Huge {
    a: [[f32; 64]; 64],
}

fn corners(device: &Device) {
    // An `index` is of its own axes, wherever it stands.
    let row = Field::from_fn(device, 4, |[j]| j as u64 + 1).unwrap();
    let table = Field::from_fn(device, [3, 4], |[i, j]| (100 * i + 10 * j) as u64).unwrap();
    let weighted = &row * index::<1>(0);
    let alone = weighted.eval().unwrap();
    is(&alone, &[0, 2, 6, 12]);
    assert_eq!(
        (&table + weighted).eval().unwrap().to_vec().unwrap(),
        (&table + &alone).eval().unwrap().to_vec().unwrap()
    );
    is(&(&row + index::<1>(5)).eval().unwrap(), &[1, 2, 3, 4]);
    is(&(&row + index::<1>(1)).eval().unwrap(), &[1, 2, 3, 4]);
    // Only the side that is selected is computed, where it may fail.
    let x = Field::from_fn(device, 200, |[i]| i as i32).unwrap();
    let y = Field::from_fn(device, 200, |[i]| i as i32 % 3).unwrap();
    let guarded = y.expr().ne(0).select(&x / &y, -1).eval().unwrap();
    device.synchronize().unwrap();
    is(
        &guarded,
        &(0..200)
            .map(|i| if i % 3 == 0 { -1 } else { i / (i % 3) })
            .collect::<Vec<_>>(),
    );
    let v = Field::from_fn(device, 100, |[i]| Vec3::new(i as f32, -(i as f32), 3.0)).unwrap();
    assert_eq!((&v * 2.0).max_element().unwrap(), Some(Vec3::new(198.0, 0.0, 6.0)));
    assert_eq!(v.expr().min_element().unwrap(), Some(Vec3::new(0.0, -99.0, 3.0)));
    let h = Field::from_fn(device, 9, |[i]| f16::from_f32(40.0 * i as f32 - 100.0)).unwrap();
    is(
        &h.expr().cast::<i8>().eval().unwrap(),
        &(0..9).map(|i| (40.0 * i as f32 - 100.0) as i8).collect::<Vec<_>>(),
    );
    is(
        &h.expr().cast::<u16>().eval().unwrap(),
        &(0..9).map(|i| (40.0 * i as f32 - 100.0) as u16).collect::<Vec<_>>(),
    );
    // More elements than can be counted.
    let one = Field::<f32, 2>::full(device, [1, 1], 2.0).unwrap();
    let (wide, high) = (
        one.broadcast([1 << 33, 1]).unwrap(),
        one.broadcast([1, 1 << 33]).unwrap(),
    );
    assert!(matches!((wide + high).sum(), Err(Error::SizeOverflow { .. })));
    assert!(matches!((wide + high).eq(4.0).all(), Err(Error::SizeOverflow { .. })));
    assert!(matches!((wide + high).eval(), Err(Error::SizeOverflow { .. })));
    // Blocks of large elements do not fill a stack.
    let large = |i: usize| Huge {
        a: [[i as f32; 64]; 64],
    };
    let device = device.clone();
    let small_stack = std::thread::Builder::new().stack_size(2 << 20);
    let copied = small_stack.spawn(move || {
        let mut from = Field::<Huge>::zeros(&device, 70).unwrap();
        (0..70).for_each(|i| from.set(i, large(i)).unwrap());
        let mut to = Field::<Huge>::zeros(&device, 70).unwrap();
        to.assign(&from).unwrap();
        assert!(to == from);
    });
    copied.unwrap().join().unwrap();
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    Vec::new()
}
