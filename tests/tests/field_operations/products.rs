//! Products of vectors, matrices and batches, against a loop over all products in integers, which all values are.

use std::fmt::Debug;

use ndarray::s;
use swathe::prelude::*;
use swathe::{Aos, Complex, Dot, Error, Factor, FieldLayout, FieldView, Graph, Soa, bf16, copies_on_write, f16};

/// Rows, inner, columns.
const SHAPES: [[usize; 3]; 20] = [
    [1, 1, 1],
    [0, 3, 17],
    [3, 0, 17],
    [17, 3, 0],
    [3, 3, 3],
    [17, 17, 17],
    [65, 17, 130],
    [130, 65, 17],
    [17, 130, 65],
    [65, 65, 65],
    [1, 130, 65],
    [1, 17, 300],
    [130, 130, 1],
    [3, 65, 130],
    [130, 3, 65],
    [65, 1, 65],
    [130, 65, 3],
    [1, 1, 130],
    [2, 1300, 2],
    [7, 100, 66],
];

trait Value: Factor + PartialEq + Debug {
    /// Of any integers; those of floats are small.
    fn of(re: i64, im: i64) -> Self;
    fn parts(self) -> [i128; 2];
}

macro_rules! values {
    ($($t:ty: |$x:ident| $of:expr, |$y:ident| $wide:expr;)*) => {$(
        impl Value for $t {
            fn of($x: i64, _: i64) -> Self {
                $of
            }
            fn parts(self) -> [i128; 2] {
                let $y = self;
                [$wide, 0]
            }
        }
    )*};
}
values! {
    i8: |x| x as i8, |x| x.into();
    u8: |x| x as u8, |x| x.into();
    i16: |x| x as i16, |x| x.into();
    u16: |x| x as u16, |x| x.into();
    i32: |x| x as i32, |x| x.into();
    u32: |x| x as u32, |x| x.into();
    i64: |x| x, |x| x.into();
    u64: |x| x as u64, |x| x.into();
    f16: |x| f16::from_f32((x % 4) as f32), |x| x.to_f32() as i128;
    bf16: |x| bf16::from_f32((x % 4) as f32), |x| x.to_f32() as i128;
    f32: |x| (x % 64) as f32, |x| x as i128;
    f64: |x| (x % 4096) as f64, |x| x as i128;
}

macro_rules! complex {
    ($($t:ident)*) => {$(
        impl Value for Complex<$t> {
            fn of(re: i64, im: i64) -> Self {
                Complex::new((re % 64) as $t, (im % 64) as $t)
            }
            fn parts(self) -> [i128; 2] {
                [self.re as i128, self.im as i128]
            }
        }
    )*};
}
complex!(f32 f64);

/// A sum as an element: wrapped, or rounded once.
trait Rounded: Value {
    fn rounded(re: i128, im: i128) -> Self;
}

macro_rules! rounded {
    ($($t:ty: |$re:ident, $im:ident| $value:expr;)*) => {$(
        impl Rounded for $t {
            fn rounded($re: i128, $im: i128) -> Self {
                let _ = $im;
                $value
            }
        }
    )*};
}
rounded! {
    i8: |re, im| re as i8;
    u8: |re, im| re as u8;
    i16: |re, im| re as i16;
    u16: |re, im| re as u16;
    i32: |re, im| re as i32;
    u32: |re, im| re as u32;
    i64: |re, im| re as i64;
    u64: |re, im| re as u64;
    f16: |re, im| f16::from_f32(re as f32);
    bf16: |re, im| bf16::from_f32(re as f32);
    f32: |re, im| re as f32;
    f64: |re, im| re as f64;
    Complex<f32>: |re, im| Complex::new(re as f32, im as f32);
    Complex<f64>: |re, im| Complex::new(re as f64, im as f64);
}

/// Different values for each seed and position.
fn value<T: Value>(seed: u64, position: [usize; 3]) -> T {
    let number = position
        .iter()
        .fold(seed, |all, k| all.wrapping_mul(1009).wrapping_add(*k as u64 + 1));
    let scattered = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    T::of(
        (scattered ^ scattered >> 29) as i64,
        (scattered >> 17) as i64 - (1 << 40),
    )
}

fn product<T: Rounded>(a: impl Fn(usize, usize) -> T, b: impl Fn(usize, usize) -> T, shape: [usize; 3]) -> Vec<T> {
    let [rows, inner, columns] = shape;
    let parts = |of: &dyn Fn(usize, usize) -> T, lines: usize, length: usize| -> Vec<[i128; 2]> {
        (0..lines * length)
            .map(|k| of(k / length, k % length).parts())
            .collect()
    };
    let (a, b) = (parts(&a, rows, inner), parts(&b, inner, columns));
    let mut all = Vec::new();
    for i in 0..rows {
        for j in 0..columns {
            let (mut re, mut im) = (0_i128, 0_i128);
            for k in 0..inner {
                let ([p, q], [r, s]) = (a[i * inner + k], b[k * columns + j]);
                // The lowest bits are right also where the number is not.
                re = re.wrapping_add(p.wrapping_mul(r)).wrapping_sub(q * s);
                im = im.wrapping_add(p.wrapping_mul(s)).wrapping_add(q.wrapping_mul(r));
            }
            all.push(T::rounded(re, im));
        }
    }
    all
}

/// How a matrix lies in its field.
#[derive(Clone, Copy, Debug)]
enum Order {
    Plain,
    Turned,
    /// Every second row, backwards, and every third column.
    Stepped,
}
use Order::{Plain, Stepped, Turned};

const ORDERS: [[Order; 3]; 5] = [
    [Plain, Plain, Plain],
    [Turned, Plain, Stepped],
    [Plain, Turned, Plain],
    [Turned, Turned, Turned],
    [Stepped, Stepped, Plain],
];

fn held<T: Value, L: FieldLayout>(
    device: &Device,
    [rows, columns]: [usize; 2],
    order: Order,
    seed: u64,
) -> Field<T, 2, L> {
    let field = match order {
        Plain => Field::from_fn(device, [rows, columns], |[i, j]| value(seed, [0, i, j])),
        Turned => Field::from_fn(device, [columns, rows], |[j, i]| value(seed, [0, i, j])),
        Stepped => Field::from_fn(device, [2 * rows, 3 * columns + 1], |[i, j]| match (i % 2, j % 3) {
            (1, 1) => value(seed, [0, rows - 1 - i / 2, j / 3]),
            _ => T::of(1, 1),
        }),
    };
    field.unwrap().with_layout(L::default()).unwrap()
}

fn seen<T: Element, L: FieldLayout>(field: &Field<T, 2, L>, order: Order) -> FieldView<'_, T, 2, L::Part> {
    match order {
        Plain => field.view(),
        Turned => field.t(),
        Stepped => field.slice(s![..;-2, 1..;3]).unwrap(),
    }
}

fn matrices<T: Rounded, L: FieldLayout, K: FieldLayout>(device: &Device, every: usize) {
    for (n, shape) in SHAPES.into_iter().enumerate() {
        let [rows, inner, columns] = shape;
        let a = |i: usize, k: usize| value::<T>(1, [0, i, k]);
        let b = |k: usize, j: usize| value::<T>(2, [0, k, j]);
        let expected = product(a, b, shape);
        for (m, [left, right, to]) in ORDERS.into_iter().enumerate() {
            if !(n + m).is_multiple_of(every) {
                continue;
            }
            let what = format!("{shape:?} {left:?} {right:?} {to:?}");
            let x = held::<T, L>(device, [rows, inner], left, 1);
            let y = held::<T, K>(device, [inner, columns], right, 2);
            let (a, b) = (seen(&x, left), seen(&y, right));
            let got = a.dot(b).unwrap();
            assert_eq!(
                (got.shape(), got.to_vec().unwrap()),
                ([rows, columns], expected.clone()),
                "{what}"
            );
            // What is around the result stays.
            let mut out = held::<T, L>(device, [rows, columns], to, 3);
            let before = out.try_clone().unwrap();
            let copies = copies_on_write();
            match to {
                Plain => a.dot_into(b, &mut out).unwrap(),
                Turned => {
                    let mut turned = held::<T, K>(device, [rows, columns], Turned, 3);
                    a.dot_into(b, &mut turned.view_mut().unwrap().t()).unwrap();
                    out = turned.with_layout(L::default()).unwrap();
                }
                Stepped => a.dot_into(b, &mut out.slice_mut(s![..;-2, 1..;3]).unwrap()).unwrap(),
            }
            assert_eq!(seen(&out, to).to_vec().unwrap(), expected, "{what}");
            if let Plain = to {
                assert!(out.is_empty() || copies_on_write() > copies);
                let initial = held::<T, L>(device, [rows, columns], to, 3);
                assert_eq!(before.to_vec().unwrap(), initial.to_vec().unwrap(), "{what}");
            }
            if let Stepped = to {
                let (out, before) = (out.slice(s![..;2, ..]).unwrap(), before.slice(s![..;2, ..]).unwrap());
                assert_eq!(out.to_vec().unwrap(), before.to_vec().unwrap(), "{what}");
            }
            if columns > 0 {
                let column: Vec<T> = expected.iter().step_by(columns).copied().collect();
                let vector = b.index_axis(1, 0).unwrap();
                assert_eq!(
                    a.dot(vector).unwrap().to_vec().unwrap(),
                    column,
                    "{what}, its first column"
                );
                let mut out = Field::<T>::full(device, rows, T::of(7, 7)).unwrap();
                a.dot_into(vector, &mut out).unwrap();
                assert_eq!(out.to_vec().unwrap(), column, "{what}, its first column");
            }
            if rows > 0 {
                let vector = a.index_axis(0, rows - 1).unwrap();
                let row = &expected[(rows - 1) * columns..];
                assert_eq!(vector.dot(b).unwrap().to_vec().unwrap(), row, "{what}, its last row");
                if columns > 0 {
                    let last = *row.last().unwrap();
                    let other = b.index_axis(1, columns - 1).unwrap();
                    assert_eq!(vector.dot(other).unwrap(), last, "{what}, its last number");
                    let mut out = Field::<T, 0>::full(device, [], T::of(7, 7)).unwrap();
                    vector.dot_into(&other, &mut out).unwrap();
                    assert_eq!(out.get([]).unwrap(), last);
                }
            }
        }
    }
}

fn batches<T: Rounded, L: FieldLayout>(device: &Device) {
    for [batch, rows, inner, columns] in [
        [0, 3, 3, 3],
        [3, 17, 5, 40],
        [5, 3, 3, 3],
        [2, 66, 30, 67],
        [3, 1, 40, 5],
        [2, 3, 0, 2],
    ] {
        let x = Field::<T, 3>::from_fn(device, [batch, rows, inner], |at| value(1, at)).unwrap();
        let y = Field::<T, 3>::from_fn(device, [inner, batch, columns], |[k, b, j]| value(2, [b, k, j])).unwrap();
        let (x, y) = (
            x.with_layout(L::default()).unwrap(),
            y.with_layout(L::default()).unwrap(),
        );
        let expected: Vec<T> = (0..batch)
            .flat_map(|b| {
                product(
                    |i, k| value(1, [b, i, k]),
                    |k, j| value(2, [b, k, j]),
                    [rows, inner, columns],
                )
            })
            .collect();
        let got = x.dot(y.permuted_axes([1, 0, 2]).unwrap()).unwrap();
        assert_eq!((got.shape(), got.to_vec().unwrap()), ([batch, rows, columns], expected));
        // One matrix for all.
        let one = Field::<T, 2>::from_fn(device, [inner, columns], |[k, j]| value(3, [0, k, j])).unwrap();
        let expected: Vec<T> = (0..batch)
            .flat_map(|b| {
                product(
                    |i, k| value(1, [b, i, k]),
                    |k, j| value(3, [0, k, j]),
                    [rows, inner, columns],
                )
            })
            .collect();
        let all = one.view().broadcast([batch, inner, columns]).unwrap();
        assert_eq!(x.dot(all).unwrap().to_vec().unwrap(), expected);
    }
}

/// Many products for few results.
fn long_sums<T: Rounded>(device: &Device) {
    for shape in [[1, 70_001, 1], [3, 9001, 2], [1, 9001, 40], [40, 9001, 1]] {
        let [rows, inner, columns] = shape;
        let x = Field::<T, 2>::from_fn(device, [rows, inner], |[i, k]| {
            T::of((i + k) as i64 % 3 - 1, k as i64 % 2)
        })
        .unwrap();
        let y =
            Field::<T, 2>::from_fn(device, [inner, columns], |[k, j]| T::of((k * 7 + j) as i64 % 5 - 2, 1)).unwrap();
        let expected = product(
            |i, k| T::of((i + k) as i64 % 3 - 1, k as i64 % 2),
            |k, j| T::of((k * 7 + j) as i64 % 5 - 2, 1),
            shape,
        );
        assert_eq!(x.dot(&y).unwrap().to_vec().unwrap(), expected, "{shape:?}");
    }
}

fn refused(device: &Device) {
    let field = |shape| Field::<f32, 2>::full(device, shape, 1.0).unwrap();
    let text = |error: Option<Error>| error.unwrap().to_string();
    let (a, b, label) = (field([2, 3]), field([4, 5]), device);
    assert_eq!(
        text(a.dot(b.t()).err()),
        format!(
            "the product of Field<f32, 2> {{ shape: [2, 3], device: {label} }} and FieldView<f32, 2> {{ shape: [5, 4], device: \
             {label} }}: expected shape [3, _], got [5, 4]"
        )
    );
    let x = Field::<f32>::zeros(device, 4).unwrap();
    assert!(text(a.dot(&x).err()).ends_with("expected shape [3], got [4]"));
    assert!(text(x.dot(&a).err()).ends_with("expected shape [4, _], got [2, 3]"));
    assert!(text(x.dot(a.index_axis(0, 0).unwrap()).err()).ends_with("expected shape [4], got [3]"));
    let mut out = field([2, 3]);
    let (id, writes) = (out.id(), out.write_count());
    let error = text(a.dot_into(a.t(), &mut out).err());
    assert!(error.contains("into Field<f32, 2> { shape: [2, 3]"), "{error}");
    assert!(error.ends_with("expected shape [2, 2], got [2, 3]"), "{error}");
    assert_eq!((out.id(), out.write_count()), (id, writes));
    let batch = Field::<f32, 3>::zeros(device, [2, 3, 4]).unwrap();
    let other = Field::<f32, 3>::zeros(device, [3, 4, 5]).unwrap();
    assert!(text(batch.dot(&other).err()).ends_with("expected shape [2, 4, _], got [3, 4, 5]"));
    let here = Field::<f32, 2>::zeros(&Device::cpu(), [3, 2]).unwrap();
    if !device.is_cpu() {
        let error = a.dot(&here).map(drop).unwrap_err();
        assert!(matches!(error, Error::OtherDevice { what: "a product", expected, got: "cpu" } if expected != "cpu"));
        let mut out = Field::<f32, 2>::zeros(&Device::cpu(), [2, 2]).unwrap();
        let error = a.dot_into(a.t(), &mut out).unwrap_err();
        assert!(matches!(error, Error::OtherDevice { .. }));
    }
    // More results than memory can have.
    let long = Field::<f32>::zeros(device, 1).unwrap();
    let tall = long.view().broadcast([1 << 40, 1]).unwrap();
    let wide = long.view().broadcast([1, 1 << 40]).unwrap();
    assert!(matches!(tall.dot(wide).map(drop), Err(Error::SizeOverflow { .. })));
}

/// A clone keeps what it has, and members of structs are factors.
fn memory(device: &Device) {
    let a = Field::<i64, 2>::from_fn(device, [3, 3], |[i, j]| (3 * i + j) as i64).unwrap();
    let mut out = a.try_clone().unwrap();
    a.dot_into(&a, &mut out).unwrap();
    assert_eq!(a.to_vec().unwrap(), (0..9).collect::<Vec<i64>>());
    assert_eq!(out.to_vec().unwrap(), [15, 18, 21, 42, 54, 66, 69, 90, 111]);
    // Both halves of one field.
    let mut both = Field::<i64, 2>::from_fn(device, [4, 2], |[i, j]| (2 * i + j) as i64).unwrap();
    let (mut first, second) = both.split_at_mut(0, 2).unwrap();
    second.view().dot_into(second.view().t(), &mut first).unwrap();
    assert_eq!(both.to_vec().unwrap(), [41, 59, 59, 85, 4, 5, 6, 7]);
    let particles = Field::<super::Large>::from_fn(device, 40, |[i]| super::large(i)).unwrap();
    let expected: i16 = (0..40).map(|i| (i as i16 - 5) * (i as i16 - 5)).sum();
    let (aos, soa) = (&particles, particles.with_layout(Soa).unwrap());
    let of_aos = aos.member::<i16>("b").unwrap();
    let of_soa = soa.member::<i16>("b").unwrap();
    assert_eq!(of_aos.view().dot(of_soa.view()).unwrap(), expected);
}

fn generic<T: Rounded, A: for<'a> Dot<&'a Field<T>, Output = Field<T>>>(a: &A, x: &Field<T>) -> Field<T> {
    a.dot(x).unwrap()
}

pub fn all(device: &Device) {
    matrices::<f32, Aos, Aos>(device, 1);
    matrices::<f64, Soa, Aos>(device, 4);
    matrices::<Complex<f32>, Aos, Soa>(device, 3);
    matrices::<Complex<f64>, Soa, Soa>(device, 7);
    matrices::<Complex<f64>, Aos, Aos>(device, 6);
    matrices::<f16, Aos, Aos>(device, 3);
    matrices::<bf16, Soa, Aos>(device, 6);
    matrices::<i8, Aos, Aos>(device, 6);
    matrices::<u8, Aos, Soa>(device, 7);
    matrices::<i16, Aos, Aos>(device, 6);
    matrices::<u16, Aos, Aos>(device, 7);
    matrices::<i32, Soa, Aos>(device, 2);
    matrices::<u32, Aos, Aos>(device, 7);
    matrices::<i64, Aos, Aos>(device, 4);
    matrices::<u64, Aos, Aos>(device, 7);
    batches::<f32, Aos>(device);
    batches::<Complex<f32>, Soa>(device);
    batches::<i16, Aos>(device);
    batches::<f16, Aos>(device);
    long_sums::<f32>(device);
    long_sums::<i8>(device);
    long_sums::<bf16>(device);
    long_sums::<Complex<f64>>(device);
    refused(device);
    memory(device);
    let a = Field::<i32, 2>::from_fn(device, [2, 2], |[i, j]| (i + 2 * j) as i32).unwrap();
    let x = Field::from_slice(device, &[1, 10]).unwrap();
    assert_eq!(generic(&a, &x).to_vec().unwrap(), [20, 31]);
    assert_eq!(generic(&a.t(), &x).to_vec().unwrap(), [10, 32]);
}

/// Blocks of more than one call of `gemm`; the bits of sums that are rounded do not depend on the threads.
pub fn large() {
    let device = Device::cpu();
    fn check<T: Rounded, L: FieldLayout>(device: &Device, shape: [usize; 3], small: impl Fn(u64, [usize; 2]) -> T) {
        let [rows, inner, columns] = shape;
        let x = Field::<T, 2>::from_fn(device, [rows, inner], |at| small(1, at)).unwrap();
        let y = Field::<T, 2>::from_fn(device, [columns, inner], |at| small(2, at)).unwrap();
        let expected = product(|i, k| small(1, [i, k]), |k, j| small(2, [j, k]), shape);
        let (x, y) = (
            x.with_layout(L::default()).unwrap(),
            y.with_layout(L::default()).unwrap(),
        );
        for threads in [1, 2, 7] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let got = pool.install(|| x.dot(y.t()).unwrap().to_vec().unwrap());
            assert!(got == expected, "{shape:?} on {threads} threads");
        }
    }
    let number = |seed: u64, [i, k]: [usize; 2]| (seed as usize * 31 + i * 7919 + k * 104_729) as i64 % 5 - 2;
    check::<f32, Aos>(&device, [300, 60, 530], |seed, at| f32::of(number(seed, at), 0));
    check::<f64, Aos>(&device, [270, 300, 40], |seed, at| f64::of(number(seed, at), 0));
    check::<f16, Aos>(&device, [140, 300, 270], |seed, at| f16::of(number(seed, at), 0));
    check::<Complex<f32>, Soa>(&device, [140, 270, 40], |seed, at| {
        Complex::of(number(seed, at), number(seed + 1, at))
    });
    check::<Complex<f64>, Aos>(&device, [270, 40, 60], |seed, at| {
        Complex::of(number(seed, at), number(seed + 1, at))
    });
    check::<i32, Aos>(&device, [100, 50, 530], |seed, at| i32::of(number(seed, at) << 20, 0));
    for shape in [[1, 200_000, 1], [4000, 300, 1], [1, 300, 4000], [300, 300, 300]] {
        let [rows, inner, columns] = shape;
        let x = Field::<f32, 2>::from_fn(&device, [rows, inner], |[i, k]| ((i * inner + k) as f32).sin()).unwrap();
        let y = Field::<f32, 2>::from_fn(&device, [inner, columns], |[k, j]| ((k * 3 + j) as f32).cos()).unwrap();
        let of = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| x.dot(&y).unwrap().to_vec().unwrap())
        };
        let one = of(1);
        assert!(one == of(2) && one == of(7), "{shape:?}");
        let last =
            |k: usize| (((rows - 1) * inner + k) as f32).sin() as f64 * ((k * 3 + columns - 1) as f32).cos() as f64;
        let exact: f64 = (0..inner).map(last).sum();
        assert!(
            (f64::from(*one.last().unwrap()) - exact).abs() < 1e-6 * inner as f64,
            "{shape:?}"
        );
    }
}

/// A product is a part of a graph, but for one that makes a field.
pub fn captured(device: &Device) {
    let a = Field::<f64, 2>::from_fn(device, [3, 3], |[i, j]| (i * 3 + j) as f64).unwrap();
    let x = Field::from_slice(device, &[1.0, 2.0, 3.0]).unwrap();
    let mut y = Field::<f64>::zeros(device, 3).unwrap();
    let graph = Graph::capture(device, || a.dot_into(&x, &mut y)).unwrap();
    y.fill(0.0).unwrap();
    graph.launch().unwrap();
    assert_eq!(y.to_vec().unwrap(), [8.0, 26.0, 44.0]);
    let error = Graph::capture(device, || a.dot(&x).map(drop)).map(drop).unwrap_err();
    assert!(matches!(error, Error::NotCapturable { .. }), "{error}");
    let here = Field::<f64>::zeros(&Device::cpu(), 3).unwrap();
    let mut sum = Field::<f64, 0>::zeros(&Device::cpu(), []).unwrap();
    let error = Graph::capture(device, || here.dot_into(&here, &mut sum))
        .map(drop)
        .unwrap_err();
    assert!(error.to_string().contains("a product of fields of the CPU"), "{error}");
}
