//! What fields do without a kernel of the user: on the CPU, and on a CUDA device that has no NVRTC.

mod axes;
mod halves;
mod joins;
mod positions;
mod products;

use std::fmt::Debug;

use ndarray::{Array, s};
use swathe::prelude::*;
use swathe::{Aos, External, FieldLayout, Integer, Number, Real, Soa, Tolerance};
use swathe_software_cuda::harness;

const SIZES: [usize; 6] = [0, 1, 3, 17, 1000, 20_011];

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Large {
    a: [f64; 9],
    b: i16,
    c: Vec3,
    d: bool,
}

fn large(i: usize) -> Large {
    Large {
        a: std::array::from_fn(|k| (10 * i + k) as f64),
        b: i as i16 - 5,
        c: Vec3::new(i as f32, 0.5, -1.0),
        d: i % 3 == 1,
    }
}

/// Numbers below 128, scattered.
fn scattered(i: usize) -> u8 {
    (i * 7919 % 127) as u8
}

#[kernel]
fn user_kernel(x: &mut Field<f32>) {
    for i in x.indices() {
        x[i] += 1.0;
    }
}

#[kernel]
fn drawn(out: &mut Field<f32>, wide: &mut Field<f64>, seed: u64) {
    for i in out.indices() {
        out[i] = Rng::new(seed, i as u64).range_f32(-2.0, 3.0);
    }
    for i in wide.indices() {
        wide[i] = Rng::new(seed, i as u64).range_f64(-2.0, 3.0);
    }
}

fn integers<T>(device: &Device)
where
    T: Integer + External<Scalar = T> + From<u8> + Debug + Copy + Eq + Ord + std::ops::Sub<Output = T>,
{
    let add = |a: T, b: T| wrapping::<T>(bits(a).wrapping_add(bits(b)));
    let multiply = |a: T, b: T| wrapping::<T>(bits(a).wrapping_mul(bits(b)));
    for n in SIZES {
        let values: Vec<T> = (0..n).map(|i| T::from(scattered(i) / 2 + 1)).collect();
        let u = Field::<T>::from_slice(device, &values).unwrap();
        let zero = T::from(0);
        assert_eq!(u.sum().unwrap(), values.iter().fold(zero, |a, b| add(a, *b)), "{n}");
        assert_eq!(
            u.product().unwrap(),
            values.iter().fold(T::from(1), |a, b| multiply(a, *b)),
            "{n}"
        );
        assert_eq!(u.min().unwrap(), values.iter().copied().min());
        assert_eq!(u.max().unwrap(), values.iter().copied().max());
        let first = |wanted: Option<T>| wanted.map(|w| [values.iter().position(|v| *v == w).unwrap()]);
        assert_eq!(u.argmin().unwrap(), first(values.iter().copied().min()));
        assert_eq!(u.argmax().unwrap(), first(values.iter().copied().max()));
        let mut sequence = u.try_clone().unwrap();
        sequence.fill_sequence(T::from(100), T::from(7)).unwrap();
        let expected: Vec<T> = (0..n as u64).map(|i| wrapping(100_u64.wrapping_add(7 * i))).collect();
        assert_eq!(sequence.to_vec().unwrap(), expected);
    }
}

/// The lowest bits of a number, and back.
fn bits<T: Copy>(value: T) -> u64 {
    let mut bits = 0_u64;
    // SAFETY: an integer of at most 8 bytes, on a little-endian host.
    unsafe { (&raw mut bits).cast::<T>().write(value) };
    bits
}

fn wrapping<T: Copy>(bits: u64) -> T {
    // SAFETY: as above.
    unsafe { (&raw const bits).cast::<T>().read() }
}

fn floats<T>(device: &Device, epsilon: f64)
where
    T: Real + External<Scalar = T> + From<f32> + Into<f64> + Debug,
{
    for n in SIZES {
        let value = |i: usize| T::from(f32::from(scattered(i)) * 0.37 - 9.5);
        let u = Field::<T>::from_fn(device, n, |[i]| value(i)).unwrap();
        let exact: f64 = (0..n).map(|i| value(i).into()).sum();
        let size: f64 = (0..n).map(|i| value(i).into().abs()).sum();
        let sum: f64 = u.sum().unwrap().into();
        assert!((sum - exact).abs() <= 20.0 * epsilon * size, "{n}: {sum} {exact}");
        let again = u.sum().unwrap();
        assert_eq!(again, u.with_layout(Soa).unwrap().sum().unwrap(), "the bits of a sum");
        match u.mean().unwrap() {
            None => assert_eq!(n, 0),
            Some(mean) => assert!((mean.into() - exact / n as f64).abs() <= 20.0 * epsilon * size / n as f64),
        }
        let least = (0..n).map(value).reduce(|a, b| if b < a { b } else { a });
        assert_eq!(u.min().unwrap(), least);
        assert_eq!(
            u.argmin().unwrap(),
            (0..n).find(|i| Some(value(*i)) == least).map(|i| [i])
        );

        let mut v = u.try_clone().unwrap();
        assert!(u.all_close(&v, Tolerance::default()).unwrap());
        if n > 0 {
            v.set(n - 1, T::from(1e6)).unwrap();
            assert!(!u.all_close(&v, Tolerance::default()).unwrap());
            assert!(
                u.all_close(
                    &v,
                    Tolerance {
                        absolute: 2e6,
                        ..Tolerance::default()
                    }
                )
                .unwrap()
            );
            v.set(n - 1, T::from(f32::NAN)).unwrap();
            assert!(!v.all_close(&v, Tolerance::default()).unwrap());
            assert!(
                v.all_close(
                    &v,
                    Tolerance {
                        equal_nan: true,
                        ..Tolerance::default()
                    }
                )
                .unwrap()
            );
            // NaN is passed over.
            let greatest = v.max().unwrap().map(Into::<f64>::into);
            assert_eq!(greatest.is_some_and(|m| !m.is_nan()), n > 1);
        }
        let line = Field::<T>::linspace(device, T::from(-1.0), T::from(3.0), n)
            .unwrap()
            .to_vec()
            .unwrap();
        for (i, got) in line.iter().enumerate() {
            let wanted = -1.0 + 4.0 * i as f64 / (n.max(2) - 1) as f64;
            assert!(((*got).into() - wanted).abs() < 4.0 * epsilon, "{i} of {n}: {got:?}");
        }
        assert!(n < 2 || (line[0], line[n - 1]) == (T::from(-1.0), T::from(3.0)));
    }
    let line = |n| {
        Field::<f64>::linspace(device, -f64::MAX, f64::MAX, n)
            .unwrap()
            .to_vec()
            .unwrap()
    };
    assert_eq!(line(2), [-f64::MAX, f64::MAX]);
    assert_eq!(line(3), [-f64::MAX, 0.0, f64::MAX]);
    assert!(line(17).iter().is_sorted() && line(17)[0] == -f64::MAX);
    let (a, b) = (
        Field::<T>::zeros(device, 3).unwrap(),
        Field::<T>::zeros(device, 4).unwrap(),
    );
    let error = a.all_close(&b, Tolerance::default()).unwrap_err().to_string();
    assert!(error.ends_with("expected shape [3], got [4]"), "{error}");
}

fn random(device: &Device) {
    let n = 1000;
    let (mut out, mut wide) = (
        Field::zeros(&Device::cpu(), n).unwrap(),
        Field::zeros(&Device::cpu(), n).unwrap(),
    );
    drawn(&mut out, &mut wide, 77).unwrap();
    let mut here = Field::<f32>::zeros(device, n).unwrap();
    here.fill_uniform(77, -2.0, 3.0).unwrap();
    assert_eq!(here.to_vec().unwrap(), out.to_vec().unwrap());
    let mut here = Field::<f64>::zeros(device, n).unwrap();
    here.fill_uniform(77, -2.0, 3.0).unwrap();
    assert_eq!(here.to_vec().unwrap(), wide.to_vec().unwrap());
    // Bounds whose distance is beyond all numbers.
    macro_rules! whole_range {
        ($($t:ident $range:ident)*) => {$(
            let mut here = Field::<$t>::zeros(device, n).unwrap();
            here.fill_uniform(77, $t::MIN, $t::MAX).unwrap();
            let expected = |i: u64| Rng::new(77, i).$range($t::MIN, $t::MAX);
            let here = here.to_vec().unwrap();
            assert_eq!(here, (0..n as u64).map(expected).collect::<Vec<_>>());
            let (low, high) = here.iter().fold((0.0, 0.0), |(low, high), x| ($t::min(low, *x), $t::max(high, *x)));
            assert!(low.is_finite() && low < 0.9 * $t::MIN && high.is_finite() && high > 0.9 * $t::MAX);
        )*};
    }
    whole_range! { f32 range_f32 f64 range_f64 }
}

fn moved<L: FieldLayout>(device: &Device) {
    for n in [0, 1, 3, 17, 1000] {
        let values: Vec<Large> = (0..n).map(large).collect();
        let mut u = Field::<Large>::zeros_in(device, n, L::default()).unwrap();
        assert_eq!(u.to_vec().unwrap(), vec![Large::default(); n]);
        u.fill(large(9)).unwrap();
        assert_eq!(u.to_vec().unwrap(), vec![large(9); n]);
        u.copy_from_slice(&values).unwrap();
        assert_eq!(u.with_layout(Soa).unwrap().to_vec().unwrap(), values);
        assert_eq!(u.with_layout(Aos).unwrap().to_vec().unwrap(), values);
        assert_eq!(
            u.slice(s![..;-2]).unwrap().to_vec().unwrap(),
            values.iter().rev().step_by(2).copied().collect::<Vec<_>>()
        );
        u.member_mut::<Vec3>("c")
            .unwrap()
            .fill(Vec3::new(4.0, 5.0, 6.0))
            .unwrap();
        u.member_mut::<i16>("b")
            .unwrap()
            .view_mut()
            .slice_mut(s![..;3])
            .unwrap()
            .fill(-99)
            .unwrap();
        let expected: Vec<Large> = (0..n)
            .map(|i| Large {
                b: if i % 3 == 0 { -99 } else { values[i].b },
                c: Vec3::new(4.0, 5.0, 6.0),
                ..values[i]
            })
            .collect();
        assert_eq!(u.to_vec().unwrap(), expected);
    }
    let source = Array::from_shape_fn((7, 5, 3), |(i, j, k)| (100 * i + 10 * j + k) as f32);
    let mut u = Field::<Vec3, 2>::zeros_in(device, [7, 5], L::default()).unwrap();
    u.copy_from_ndarray(&source).unwrap();
    let turned = u.t().try_clone().unwrap();
    assert_eq!(turned.to_ndarray().unwrap(), source.view().permuted_axes([1, 0, 2]));
    let (mut first, rest) = u.split_at_mut(0, 3).unwrap();
    first.copy_from(&rest.view().slice(s![..3, ..;-1]).unwrap()).unwrap();
    let mut expected = source.clone();
    expected
        .slice_mut(s![..3, .., ..])
        .assign(&source.slice(s![3..6, ..;-1, ..]));
    assert_eq!(u.to_ndarray().unwrap(), expected);
    u.index_axis_mut(1, 2).unwrap().fill(Vec3::new(7.0, 8.0, 9.0)).unwrap();
    expected
        .slice_mut(s![.., 2, ..])
        .assign(&ndarray::arr1(&[7.0, 8.0, 9.0]));
    assert_eq!(u.to_ndarray().unwrap(), expected);
    let mut narrow = Field::<IVec3, 2>::zeros(device, [7, 5]).unwrap();
    narrow.copy_from_cast(&u).unwrap();
    assert_eq!(narrow.to_ndarray().unwrap(), expected.mapv(|x| x as i32));
}

fn patterns(device: &Device) {
    macro_rules! pattern {
        ($($t:ty: $value:expr;)*) => {$(
            for n in SIZES {
                let value: $t = $value;
                let u = Field::<$t>::full(device, n, value).unwrap();
                assert_eq!(u.to_vec().unwrap(), vec![value; n], "{} of {n}", stringify!($t));
            }
        )*};
    }
    pattern! {
        u8: 7;
        i16: -2;
        [u8; 3]: [1, 2, 3];
        f32: 0.1;
        f64: 1e-300;
        Vec3: Vec3::new(1.0, 2.0, 3.0);
        [u16; 9]: [1, 2, 3, 4, 5, 6, 7, 8, 9];
        Vector<f64, 8>: Vector::from_array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        Vector<f64, 9>: Vector::from_array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    }
}

fn all(device: &Device) {
    joins::check(device);
    integers::<u8>(device);
    integers::<i16>(device);
    integers::<u32>(device);
    integers::<i64>(device);
    floats::<f32>(device, f64::from(f32::EPSILON));
    floats::<f64>(device, f64::EPSILON);
    random(device);
    moved::<Aos>(device);
    moved::<Soa>(device);
    patterns(device);
    axes::all(device);
    positions::all(device);
    halves::all(device);
    products::all(device);
}

fn assert_number<T: Number>() {}

#[test]
fn on_the_cpu() {
    assert_number::<i8>();
    all(&Device::cpu());
    products::large();
}

#[test]
fn on_a_device_without_nvrtc() {
    if std::env::var_os("SWATHE_TEST_GPU").is_none() {
        harness::enter();
    }
    // SAFETY: the other test reads no variables of the environment.
    unsafe { std::env::set_var("SWATHE_NVRTC", "/nowhere/libnvrtc.so") };
    let device = Device::cuda(0).unwrap();
    all(&device);
    products::captured(&device);
    let mut x = Field::<f32>::zeros(&device, 3).unwrap();
    let error = user_kernel(&mut x).unwrap_err().to_string();
    assert!(error.contains("/nowhere/libnvrtc.so"), "{error}");
}
