//! Along one axis: reductions and prefix sums, against ndarray.

use std::fmt::Debug;

use ndarray::{Array3, ArrayD, Axis, IxDyn};
use swathe::prelude::*;
use swathe::{Aos, Error, External, FieldLayout, Integer, Number, Soa};

const SHAPES: [[usize; 3]; 9] = [
    [1, 1, 1],
    [3, 17, 5],
    [2, 300, 3],
    [1, 5000, 1],
    [0, 3, 2],
    [5, 3, 0],
    [2, 0, 3],
    [3, 2, 4100],
    [2, 70, 33],
];

/// Different numbers below 2^32, the same every time.
fn scattered(k: usize) -> u64 {
    (k as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
}

fn array<T>(shape: [usize; 3], value: impl Fn(u64) -> T) -> Array3<T> {
    let mut k = 0;
    Array3::from_shape_simple_fn(shape, || {
        k += 1;
        value(scattered(k))
    })
}

fn field<T, L: FieldLayout>(device: &Device, array: &Array3<T>) -> Field<T, 3, L>
where
    T: External<Scalar = T> + swathe::ArrayScalar,
{
    let field = Field::<T, 3>::from_ndarray(device, array).unwrap();
    field.with_layout(L::default()).unwrap()
}

fn same<T: Element + PartialEq + Debug, L: FieldLayout>(got: &Field<T, 2, L>, expected: &ArrayD<T>, what: &str) {
    assert_eq!(got.shape(), expected.shape(), "{what}");
    assert!(got.to_vec().unwrap().iter().eq(expected.iter()), "{what}");
}

fn integers<T, L: FieldLayout>(device: &Device, value: impl Fn(u64) -> T, [zero, one, ones]: [T; 3])
where
    T: Integer + External<Scalar = T> + swathe::ArrayScalar + Ord + Wrapping,
{
    for shape in SHAPES {
        let array = array(shape, &value);
        let u: Field<T, 3, L> = field(device, &array);
        for axis in 0..3 {
            let what = format!("{shape:?} along {axis}");
            let fold =
                |start: T, join: fn(T, T) -> T| array.fold_axis(Axis(axis), start, |a, b| join(*a, *b)).into_dyn();
            same(&u.sum_axis(axis).unwrap(), &fold(zero, T::plus), &what);
            same(&u.product_axis(axis).unwrap(), &fold(one, T::times), &what);
            same(&u.bit_and_axis(axis).unwrap(), &fold(ones, T::and), &what);
            same(&u.bit_or_axis(axis).unwrap(), &fold(zero, T::or), &what);
            for inclusive in [true, false] {
                let mut sums = array.clone();
                for mut lane in sums.lanes_mut(Axis(axis)) {
                    lane.iter_mut().fold(zero, |sum, x| {
                        let next = sum.plus(*x);
                        *x = if inclusive { next } else { sum };
                        next
                    });
                }
                let got = match inclusive {
                    true => u.cumsum_axis(axis),
                    false => u.cumsum_exclusive_axis(axis),
                };
                assert!(got.unwrap().to_vec().unwrap().iter().eq(sums.iter()), "{what}");
            }
            if shape[axis] == 0 {
                let errors = [
                    u.min_axis(axis).err(),
                    u.max_axis(axis).err(),
                    u.argmin_axis(axis).err(),
                    u.argmax_axis(axis).err(),
                ];
                for error in errors {
                    let expected = format!(
                        "slicing shape {shape:?}: axis {axis} has no elements of which one is the least or the greatest"
                    );
                    assert_eq!(error.unwrap().to_string(), expected);
                }
                continue;
            }
            let of = |better: fn(&T, &T) -> bool| {
                array.map_axis(Axis(axis), |lane| {
                    let best = lane
                        .iter()
                        .enumerate()
                        .reduce(|a, b| if better(b.1, a.1) { b } else { a });
                    best.map(|(k, x)| (k as u64, *x)).unwrap()
                })
            };
            let (least, greatest) = (of(|b, a| b < a).into_dyn(), of(|b, a| b > a).into_dyn());
            same(&u.min_axis(axis).unwrap(), &least.mapv(|(_, x)| x), &what);
            same(&u.max_axis(axis).unwrap(), &greatest.mapv(|(_, x)| x), &what);
            same(&u.argmin_axis(axis).unwrap(), &least.mapv(|(k, _)| k), &what);
            same(&u.argmax_axis(axis).unwrap(), &greatest.mapv(|(k, _)| k), &what);
        }
        let all = |join: fn(T, T) -> T, start| array.iter().copied().fold(start, join);
        assert_eq!(u.bit_and().unwrap(), all(T::and, ones));
        assert_eq!(u.bit_or().unwrap(), all(T::or, zero));
        let mut sum = zero;
        let sums: Vec<T> = array
            .iter()
            .map(|x| {
                sum = sum.plus(*x);
                sum
            })
            .collect();
        assert_eq!(u.cumsum().unwrap().to_vec().unwrap(), sums);
        let before: Vec<T> = [zero].into_iter().chain(sums).take(array.len()).collect();
        assert_eq!(u.cumsum_exclusive().unwrap().to_vec().unwrap(), before);
    }
}

trait Wrapping: Copy {
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
}

macro_rules! wrapping {
    ($($t:ident)*) => {$(
        impl Wrapping for $t {
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            fn and(self, other: Self) -> Self {
                self & other
            }
            fn or(self, other: Self) -> Self {
                self | other
            }
        }
    )*};
}
wrapping!(i8 u32 i64);

/// Floats with NaN among them, by sums that are exact.
fn floats<T, L: FieldLayout>(device: &Device)
where
    T: Number + External<Scalar = T> + swathe::ArrayScalar + From<f32> + Into<f64>,
{
    for shape in SHAPES {
        let array = array(shape, |x| T::from((x % 64) as f32 - 20.0));
        let u: Field<T, 3, L> = field(device, &array);
        for axis in 0..3 {
            let sums = array.fold_axis(Axis(axis), 0.0, |a: &f64, b| a + (*b).into());
            same(
                &u.sum_axis(axis).unwrap(),
                &sums.mapv(|x| T::from(x as f32)).into_dyn(),
                "sums",
            );
            let all = u.cumsum_axis(axis).unwrap().to_vec().unwrap();
            let all = Array3::from_shape_vec(shape, all).unwrap();
            if shape[axis] > 0 {
                let last = all.index_axis(Axis(axis), shape[axis] - 1);
                assert_eq!(last, sums.mapv(|x| T::from(x as f32)));
            }
        }
    }
    let nan = T::from(f32::NAN);
    let rows = [[nan, T::from(2.0), T::from(-1.0)], [nan, nan, nan]];
    let u = Field::<T, 2>::from_ndarray(device, &ndarray::arr2(&rows)).unwrap();
    let wide = |u: Field<T>| u.to_vec().unwrap().into_iter().map(Into::into).collect::<Vec<f64>>();
    assert_eq!(wide(u.min_axis(1).unwrap()), [-1.0, f64::INFINITY]);
    assert_eq!(wide(u.max_axis(1).unwrap()), [2.0, f64::NEG_INFINITY]);
    assert_eq!(u.argmin_axis(1).unwrap().to_vec().unwrap(), [2, 0]);
    assert_eq!(u.argmax_axis(1).unwrap().to_vec().unwrap(), [1, 0]);
    let sums = wide(u.sum_axis(1).unwrap());
    assert!(sums.iter().all(|x| x.is_nan()));
    let sums = wide(u.cumsum_axis(1).unwrap().with_layout(Aos).unwrap().flat());
    assert!(sums.iter().all(|x| x.is_nan()));
}

trait Flat<T: Element> {
    fn flat(self) -> Field<T>;
}

impl<T: Element, const D: usize> Flat<T> for Field<T, D> {
    fn flat(self) -> Field<T> {
        Field::from_slice(self.device(), &self.to_vec().unwrap()).unwrap()
    }
}

/// As they are in memory: a `bool` that is none is equal to whatever the compiler likes.
fn bytes(truths: &[bool]) -> Vec<u8> {
    let start = truths.as_ptr().cast::<u8>();
    // SAFETY: a `bool` is a byte.
    (0..truths.len())
        .map(|k| unsafe { start.add(k).read_volatile() })
        .collect()
}

fn truths<L: FieldLayout>(device: &Device) {
    for shape in SHAPES {
        for every in [1, 2, 900, u64::MAX] {
            let array = array(shape, |x| x % every != 0);
            let u: Field<bool, 3, L> = field(device, &array);
            let got = [u.all().unwrap(), u.any().unwrap()];
            let expected = [array.iter().all(|x| *x), array.iter().any(|x| *x)];
            assert_eq!(bytes(&got), expected.map(u8::from), "{shape:?}");
            for axis in 0..3 {
                let all = array.fold_axis(Axis(axis), true, |a, b| *a && *b).into_dyn();
                let any = array.fold_axis(Axis(axis), false, |a, b| *a || *b).into_dyn();
                for (got, expected) in [(u.all_axis(axis).unwrap(), all), (u.any_axis(axis).unwrap(), any)] {
                    assert_eq!(got.shape(), expected.shape());
                    let expected: Vec<u8> = expected.iter().map(|x| u8::from(*x)).collect();
                    assert_eq!(bytes(&got.to_vec().unwrap()), expected, "{shape:?} along {axis}");
                }
            }
        }
    }
}

fn refused(device: &Device) {
    let u = Field::<i32, 2>::full(device, [2, 3], 1).unwrap();
    let text = |error: Option<Error>| error.unwrap().to_string();
    assert_eq!(text(u.sum_axis(2).err()), "slicing shape [2, 3]: there is no axis 2");
    assert_eq!(text(u.cumsum_axis(7).err()), "slicing shape [2, 3]: there is no axis 7");
    assert_eq!(text(u.argmin_axis(3).err()), "slicing shape [2, 3]: there is no axis 3");
    // One axis leaves a field of one element.
    let line = Field::<i32>::from_slice(device, &[3, 4, 5]).unwrap();
    assert_eq!(line.sum_axis(0).unwrap().get([]).unwrap(), 12);
    let point = Field::<i32, 0>::full(device, [], 7).unwrap();
    assert_eq!(point.cumsum().unwrap().get([]).unwrap(), 7);
    assert_eq!(point.cumsum_exclusive().unwrap().get([]).unwrap(), 0);
    let six = ArrayD::from_shape_fn(IxDyn(&[2, 1, 3, 2, 1, 2]), |i| {
        (i[0] + 2 * i[2] + 7 * i[3] + 15 * i[5]) as i64
    });
    let six = six.into_dimensionality::<ndarray::Ix6>().unwrap();
    let u = Field::<i64, 6>::from_ndarray(device, &six).unwrap();
    let expected = six.sum_axis(Axis(3));
    assert_eq!(u.sum_axis(3).unwrap().to_ndarray().unwrap(), expected);
}

pub fn all(device: &Device) {
    integers::<i8, Aos>(device, |x| x as i8, [0, 1, -1]);
    integers::<u32, Soa>(device, |x| x as u32, [0, 1, u32::MAX]);
    integers::<i64, Aos>(device, |x| (x << 31) as i64, [0, 1, -1]);
    floats::<f32, Aos>(device);
    floats::<f64, Soa>(device);
    truths::<Aos>(device);
    truths::<Soa>(device);
    refused(device);
}
