//! Floats of 16 bits: what fields of `f32` do, rounded.

use std::fmt::Debug;

use swathe::prelude::*;
use swathe::{Cast, External, Real, Soa, Tolerance, bf16, f16};

fn of<T>(device: &Device, integers: f32, uniform: impl Fn(f32) -> T)
where
    T: Real + External<Scalar = T> + swathe::ArrayScalar + Into<f64> + Debug + Cast<i32> + Cast<u64> + Cast<bool>,
    T: Cast<f16> + Cast<bf16> + Cast<f32> + Cast<f64>,
    i32: Cast<T>,
    i64: Cast<T>,
    f64: Cast<T>,
    f32: Cast<T>,
{
    let narrow = |x: f64| -> T { Cast::<T>::cast(x) };
    for n in [0, 1, 3, 17, 1003, 5100] {
        // Integers: their sums are exact in `f32`.
        let value = |i: usize| (i * 7919 % 251) as f64 - 60.0;
        let values: Vec<T> = (0..n).map(|i| narrow(value(i))).collect();
        let u = Field::<T>::from_slice(device, &values).unwrap();
        let sum: f64 = (0..n).map(value).sum();
        assert_eq!(u.sum().unwrap(), narrow(sum), "{n}");
        assert_eq!(u.with_layout(Soa).unwrap().sum().unwrap(), narrow(sum), "{n}");
        let mean = (n > 0).then(|| narrow(sum / n as f64));
        assert_eq!(u.mean().unwrap(), mean, "{n}");
        let least = (0..n).map(value).reduce(f64::min);
        assert_eq!(u.min().unwrap(), least.map(narrow));
        assert_eq!(u.max().unwrap(), (0..n).map(value).reduce(f64::max).map(narrow));
        assert_eq!(
            u.argmin().unwrap(),
            (0..n).find(|i| Some(value(*i)) == least).map(|i| [i])
        );
        let mut total = 0.0;
        let sums: Vec<T> = (0..n)
            .map(|i| {
                total += value(i);
                narrow(total)
            })
            .collect();
        assert_eq!(u.cumsum().unwrap().to_vec().unwrap(), sums);
        if n % 17 == 0 {
            let rows = Field::<T, 2>::from_fn(device, [17, n / 17], |[i, j]| values[i * (n / 17) + j]).unwrap();
            let sums: Vec<T> = (0..17)
                .map(|i| narrow((0..n / 17).map(|j| value(i * (n / 17) + j)).sum()))
                .collect();
            assert_eq!(rows.sum_axis(1).unwrap().to_vec().unwrap(), sums);
        }
        // Casts, as the host makes them.
        macro_rules! cast {
            ($($t:ident)*) => {$({
                let mut to = Field::<$t>::zeros(device, n).unwrap();
                to.copy_from_cast(&u).unwrap();
                let expected: Vec<$t> = values.iter().map(|x| Cast::<$t>::cast(*x)).collect();
                assert_eq!(to.to_vec().unwrap(), expected, "to {}", stringify!($t));
            })*};
        }
        cast!(i32 u64 bool f16 bf16 f32 f64);
        macro_rules! back {
            ($($t:ident |$k:ident| $value:expr;)*) => {$({
                let from: Vec<$t> = (0..n as u32).map(|$k| $value).collect();
                let mut to = Field::<T>::zeros(device, n).unwrap();
                to.copy_from_cast(&Field::<$t>::from_slice(device, &from).unwrap()).unwrap();
                let expected: Vec<T> = from.iter().map(|x| Cast::<T>::cast(*x)).collect();
                assert_eq!(to.to_vec().unwrap(), expected, "from {}", stringify!($t));
            })*};
        }
        back! {
            i32 |k| (k * 77_777) as i32;
            i64 |k| i64::from(k) * i64::from(k) * -987_654_321;
            f32 |k| k as f32 * 1e-9;
            // In the middle between two numbers of 16 bits but for a bit that `f32` has not.
            f64 |k| 1.0 + f64::from(k) / 2048.0 + 1e-12;
        }
        let line = Field::<T>::linspace(device, narrow(-1.0), narrow(3.0), n)
            .unwrap()
            .to_vec()
            .unwrap();
        for (i, got) in line.iter().enumerate() {
            let step = if n > 1 { 4.0 / (n - 1) as f64 } else { 0.0 };
            let wanted = if i + 1 == n && n > 1 {
                3.0
            } else {
                -1.0 + i as f64 * step
            };
            assert_eq!(*got, narrow(wanted), "{i} of {n}");
        }
        let mut here = Field::<T>::zeros(device, n).unwrap();
        here.fill_uniform(77, narrow(-2.0), narrow(3.0)).unwrap();
        let expected: Vec<T> = (0..n)
            .map(|i| uniform(Rng::new(77, i as u64).range_f32(-2.0, 3.0)))
            .collect();
        assert_eq!(here.to_vec().unwrap(), expected);
        assert!(here.all_close(&here, Tolerance::default()).unwrap());
        if n > 0 {
            let mut other = here.try_clone().unwrap();
            other.set(n / 2, narrow(100.0)).unwrap();
            assert!(!here.all_close(&other, Tolerance::default()).unwrap());
        }
    }
    // A sum of ones: 16 bits cannot count so far.
    let ones = Field::<T>::full(device, 3000, narrow(1.0)).unwrap();
    assert_eq!(
        (ones.sum().unwrap(), ones.mean().unwrap()),
        (narrow(3000.0), Some(narrow(1.0)))
    );
    let large = Field::<T>::full(device, 3000, narrow(f64::from(integers))).unwrap();
    assert_eq!(large.mean().unwrap(), Some(narrow(f64::from(integers))));
}

pub fn all(device: &Device) {
    of::<f16>(device, 60_000.0, f16::from_f32);
    of::<bf16>(device, 1e30, bf16::from_f32);
}
