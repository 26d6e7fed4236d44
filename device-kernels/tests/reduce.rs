//! Reductions, against ndarray and plain Rust.

mod common;

use common::{Buffer, LENGTHS, Plain, from_bytes, numbers, run};
use ndarray::{Array3, Axis};
use swathe_device_kernels::plan::{self, Items, Operation, Order, Scalar};

fn reduce<T: Plain>(operation: Operation, scalar: Scalar, from: &[T], items: &Items, results: usize) -> Vec<T> {
    let buffers = vec![
        Buffer::input(from),
        Buffer::new(vec![0xa5; results * size_of::<T>()], 0, true),
        Buffer::scratch(plan::reduce_scratch(scalar, scalar, items)),
    ];
    let done = run(buffers, |at| {
        plan::reduce(operation, scalar, at[0], (at[1], scalar), items, at[2])
    });
    from_bytes(&done[1])
}

fn search<T: Plain>(order: Order, scalar: Scalar, from: &[T], items: &Items, results: usize) -> Vec<(T, u64)> {
    let buffers = vec![
        Buffer::input(from),
        Buffer::new(vec![0xa5; results * size_of::<T>()], 0, true),
        Buffer::output(&vec![7_u64; results]),
        Buffer::scratch(plan::arg_reduce_scratch(items)),
    ];
    let done = run(buffers, |at| {
        plan::arg_reduce(order, scalar, at[0], (at[1], at[2]), items, at[3])
    });
    from_bytes(&done[1]).into_iter().zip(from_bytes(&done[2])).collect()
}

macro_rules! integers {
    ($($t:ident $scalar:ident;)*) => {$(
        for length in [0, 1, 3, 17, 257, 5003] {
            let from: Vec<$t> = numbers(length).map(|x| (x >> 7) as $t | 1).collect();
            let all = Items::all(length as u64);
            let one = |operation| reduce(operation, Scalar::$scalar, &from, &all, 1)[0];
            let values = || from.iter().copied();
            assert_eq!(one(Operation::Sum), values().fold(0, $t::wrapping_add));
            assert_eq!(one(Operation::Product), values().fold(1, $t::wrapping_mul));
            assert_eq!(one(Operation::Min), values().min().unwrap_or($t::MAX));
            assert_eq!(one(Operation::Max), values().max().unwrap_or($t::MIN));
            assert_eq!(one(Operation::And), values().fold(!0, |a, b| a & b));
            assert_eq!(one(Operation::Or), values().fold(0, |a, b| a | b));
            let first = |wanted: Option<$t>| wanted.map_or((0, u64::MAX), |wanted| {
                (wanted, from.iter().position(|x| *x == wanted).unwrap() as u64)
            });
            assert_eq!(search(Order::Min, Scalar::$scalar, &from, &all, 1)[0], first(values().min()));
            assert_eq!(search(Order::Max, Scalar::$scalar, &from, &all, 1)[0], first(values().max()));
        }
    )*};
}

#[test]
fn all_integers_of_all_lengths() {
    integers! { i8 I8; i16 I16; i32 I32; i64 I64; u8 U8; u16 U16; u32 U32; u64 U64; }
}

macro_rules! floats {
    ($($t:ident $scalar:ident $sum:expr;)*) => {$(
        for length in LENGTHS {
            let from: Vec<$t> = numbers(length).map(|x| (x >> 40) as $t / 1e6 - 8.0).collect();
            let all = Items::all(length as u64);
            let one = |operation| reduce(operation, Scalar::$scalar, &from, &all, 1)[0];
            let exact: f64 = from.iter().map(|&x| f64::from(x)).sum();
            assert!((f64::from(one(Operation::Sum)) - exact).abs() <= $sum * length as f64, "{length}");
            assert_eq!(one(Operation::Min), from.iter().copied().fold($t::INFINITY, $t::min));
            assert_eq!(one(Operation::Max), from.iter().copied().fold($t::NEG_INFINITY, $t::max));
            let near_one: Vec<$t> = from.iter().map(|x| 1.0 + x / 4096.0).collect();
            let product = reduce(Operation::Product, Scalar::$scalar, &near_one, &all, 1)[0];
            let exact: f64 = near_one.iter().map(|&x| f64::from(x)).product();
            assert!((f64::from(product) / exact - 1.0).abs() <= $sum * length as f64, "{length}");
        }
        let nan = $t::NAN;
        let infinite = $t::INFINITY;
        for (from, min, max) in [
            (vec![nan, 3.0, nan, -2.0, nan], (-2.0, 3), (3.0, 1)),
            (vec![infinite, -infinite, nan], (-infinite, 1), (infinite, 0)),
            (vec![1.0, 5.0, 1.0, 5.0], (1.0, 0), (5.0, 1)),
            (vec![-0.0, 0.0], (-0.0, 0), (-0.0, 0)),
        ] {
            let all = Items::all(from.len() as u64);
            assert_eq!(reduce(Operation::Min, Scalar::$scalar, &from, &all, 1), [min.0]);
            assert_eq!(reduce(Operation::Max, Scalar::$scalar, &from, &all, 1), [max.0]);
            assert_eq!(search(Order::Min, Scalar::$scalar, &from, &all, 1), [min]);
            assert_eq!(search(Order::Max, Scalar::$scalar, &from, &all, 1), [max]);
        }
        let all = Items::all(2);
        assert_eq!(reduce(Operation::Min, Scalar::$scalar, &[nan, nan], &all, 1), [infinite]);
        assert_eq!(search(Order::Max, Scalar::$scalar, &[nan, nan], &all, 1)[0].1, 0);
    )*};
}

#[test]
fn all_floats_of_all_lengths() {
    floats! { f32 F32 2e-5; f64 F64 1e-13; }
}

#[test]
fn truths() {
    for (from, all, any) in [
        (vec![true; 300], true, true),
        (vec![false; 300], false, false),
        ((0..300).map(|k| k == 299).collect(), false, true),
    ] {
        let items = Items::all(300);
        assert_eq!(reduce(Operation::And, Scalar::Bool, &from, &items, 1), [all]);
        assert_eq!(reduce(Operation::Or, Scalar::Bool, &from, &items, 1), [any]);
    }
}

#[test]
fn along_each_axis_as_ndarray_does() {
    for shape in [
        [1, 1, 1],
        [3, 17, 5],
        [2, 300, 3],
        [1, 9000, 1],
        [1, 9000, 2],
        [40, 40, 7],
        [2, 40, 2100],
        [5, 3, 0],
    ] {
        let count = shape.iter().product();
        let array = Array3::from_shape_vec(shape, numbers(count).map(|x| x as i32).collect()).unwrap();
        let from = array.as_slice().unwrap();
        for axis in 0..3 {
            let outer: usize = shape[..axis].iter().product();
            let inner: usize = shape[axis + 1..].iter().product();
            let items = Items::axis(outer as u64, shape[axis] as u64, inner as u64);
            let sums = reduce(Operation::Sum, Scalar::I32, from, &items, outer * inner);
            let expected = array.fold_axis(Axis(axis), 0, |a: &i32, b| a.wrapping_add(*b));
            assert!(sums.iter().eq(expected.iter()), "{shape:?} along {axis}");
            let least = search(Order::Min, Scalar::I32, from, &items, outer * inner);
            let lanes = array.lanes(Axis(axis));
            let expected = lanes.into_iter().map(|lane| {
                let found = lane.iter().copied().enumerate().min_by_key(|(k, x)| (*x, *k));
                found.map_or((0, u64::MAX), |(k, x)| (x, k as u64))
            });
            assert!(least.into_iter().eq(expected), "{shape:?} along {axis}");
        }
    }
}

#[test]
fn of_a_view_with_gaps() {
    let from: Vec<i64> = numbers(5000).map(|x| x as i64).collect();
    let items = Items {
        outer: 3,
        length: 50,
        inner: 4,
        outer_stride: 1300,
        stride: 20,
        inner_stride: 3,
    };
    let maxima = reduce(Operation::Max, Scalar::I64, &from, &items, 12);
    let expected = (0..12).map(|s| (0..50).map(|k| from[s / 4 * 1300 + s % 4 * 3 + k * 20]).max().unwrap());
    assert!(maxima.into_iter().eq(expected));
}

/// Neighbours along the axis, many of them: parts of a result lie beside each other.
#[test]
fn of_a_transposed_view() {
    let from: Vec<i64> = numbers(3 * 9000).map(|x| x as i64 >> 8).collect();
    let items = Items {
        outer: 1,
        length: 9000,
        inner: 3,
        outer_stride: 0,
        stride: 1,
        inner_stride: 9000,
    };
    let rows = || from.chunks(9000);
    let sums = reduce(Operation::Sum, Scalar::I64, &from, &items, 3);
    assert!(
        sums.into_iter()
            .eq(rows().map(|row| row.iter().copied().fold(0, i64::wrapping_add)))
    );
    let greatest = search(Order::Max, Scalar::I64, &from, &items, 3);
    let expected = rows().map(|row| {
        row.iter()
            .copied()
            .zip(0..)
            .max_by_key(|(x, k)| (*x, u64::MAX - k))
            .unwrap()
    });
    assert!(greatest.into_iter().eq(expected));
}

/// Numbers of 16 bits whose sum is exact in `f32`: halves from -40 to 40.
fn halves(length: usize) -> Vec<f32> {
    numbers(length).map(|x| (x >> 40) as f32 % 161.0 / 2.0 - 40.0).collect()
}

macro_rules! sixteen_bits {
    ($($t:ident $scalar:ident;)*) => {$(
        for length in [0, 1, 3, 17, 257, 5003] {
            let wide = halves(length);
            let from: Vec<$t> = wide.iter().map(|x| $t::from_f32(*x)).collect();
            let all = Items::all(length as u64);
            let one = |operation| reduce(operation, Scalar::$scalar, &from, &all, 1)[0];
            // Computed in `f32` and rounded once.
            let sum = wide.iter().sum::<f32>();
            assert_eq!(one(Operation::Sum), $t::from_f32(sum), "{length}");
            assert_eq!(one(Operation::Min).to_f32(), wide.iter().copied().fold(f32::INFINITY, f32::min));
            assert_eq!(one(Operation::Max).to_f32(), wide.iter().copied().fold(f32::NEG_INFINITY, f32::max));
            let as_f32 = |operation| {
                let buffers = vec![
                    Buffer::input(&from),
                    Buffer::output(&[7.5_f32]),
                    Buffer::scratch(plan::reduce_scratch(Scalar::$scalar, Scalar::F32, &all)),
                ];
                let done = run(buffers, |at| {
                    plan::reduce(operation, Scalar::$scalar, at[0], (at[1], Scalar::F32), &all, at[2])
                });
                from_bytes::<f32>(&done[1])[0]
            };
            assert_eq!(as_f32(Operation::Sum), sum);
            let powers: Vec<$t> = (0..length).map(|k| $t::from_f32([0.5, 2.0, -1.0][k % 3])).collect();
            let product = reduce(Operation::Product, Scalar::$scalar, &powers, &all, 1)[0];
            assert_eq!(product.to_f32(), powers.iter().map(|x| x.to_f32()).product::<f32>());
            for (order, wanted) in [
                (Order::Min, wide.iter().copied().reduce(f32::min)),
                (Order::Max, wide.iter().copied().reduce(f32::max)),
            ] {
                let (value, at) = search(order, Scalar::$scalar, &from, &all, 1)[0];
                let first = wanted.map(|w| wide.iter().position(|x| *x == w).unwrap() as u64);
                assert_eq!(at, first.unwrap_or(u64::MAX));
                assert!(wanted.is_none_or(|w| value.to_f32() == w));
            }
        }
        // More than the greatest number of the type in between, and more items than it can count.
        let many = vec![$t::from_f32(1000.0); 3000];
        let back = [many.clone(), vec![$t::from_f32(-1000.0); 2999]].concat();
        let items = Items::all(back.len() as u64);
        assert_eq!(reduce(Operation::Sum, Scalar::$scalar, &back, &items, 1)[0].to_f32(), 1000.0);
        let rows = Items::axis(1000, 3, 1);
        let sums = reduce(Operation::Sum, Scalar::$scalar, &many, &rows, 1000);
        assert!(sums.iter().all(|sum| *sum == $t::from_f32(3000.0)));
        let (nan, least) = ($t::NAN, $t::from_f32(-2.0));
        let from = [nan, $t::from_f32(3.0), nan, least, nan];
        assert_eq!(reduce(Operation::Min, Scalar::$scalar, &from, &Items::all(5), 1), [least]);
        assert_eq!(search(Order::Min, Scalar::$scalar, &from, &Items::all(5), 1), [(least, 3)]);
    )*};
}

#[test]
fn floats_of_16_bits_are_reduced_as_f32() {
    use half::{bf16, f16};
    sixteen_bits! { f16 F16; bf16 Bf16; }
}
