//! Atomic operations.

use std::fmt::Debug;

use swathe::math::{AtomicAdd, AtomicBits, AtomicOrd, AtomicSwap};
use swathe::prelude::*;

use super::support::{SIZES, equal, same, scatter, sources};

#[kernel]
fn histogram(x: &Field<i32>, bins: &mut Field<u32>) {
    let n = bins.len();
    for i in x.indices() {
        bins[x[i].rem_euclid(n as i32) as usize].atomic_add(1);
    }
}

#[kernel]
fn histogram_2d(x: &Field<i32>, bins: &mut Field<i64, 2>) {
    for i in x.indices() {
        bins[[x[i].rem_euclid(2) as usize, x[i].rem_euclid(3) as usize]].atomic_add(x[i] as i64);
    }
}

/// Old values of a counter number the iterations, in an order that is nobody's.
#[kernel]
fn tickets(counter: &mut Field<u32>, taken: &mut Field<u32>) {
    for i in taken.indices() {
        taken[i] = counter[0].atomic_add(1);
    }
}

/// Each positive element finds a place of its own.
#[kernel]
fn compact(x: &Field<i32>, count: &mut Field<u32, 0>, out: &mut Field<i32>) {
    for i in x.indices() {
        if x[i] > 0 {
            let at = count[[]].atomic_add(1);
            // SAFETY: no other iteration has the same number.
            unsafe {
                out[at as usize] = x[i];
            }
        }
    }
}

#[kernel]
fn sums<T: AtomicAdd + Element>(x: &Field<T>, out: &mut Field<T>) {
    for i in x.indices() {
        out[0].atomic_add(x[i]);
        out[1].atomic_sub(x[i]);
        let _ = out[2 + i % 2].atomic_add(x[i]);
    }
}

#[kernel]
fn limits<T: AtomicOrd + Element>(x: &Field<T>, out: &mut Field<T>) {
    for i in x.indices() {
        out[0].atomic_min(x[i]);
        out[1].atomic_max(x[i]);
    }
}

#[kernel]
fn bits<T: AtomicBits + Element>(x: &Field<T>, out: &mut Field<T>) {
    for i in x.indices() {
        out[0].atomic_and(x[i]);
        out[1].atomic_or(x[i]);
        out[2].atomic_xor(x[i]);
    }
}

/// A chain: each value comes out once, either of an exchange or at the end.
#[kernel]
fn exchanges<T: AtomicSwap + Element>(x: &Field<T>, slot: &mut Field<T>, out: &mut Field<T>) {
    for i in x.indices() {
        out[i] = slot[0].atomic_exchange(x[i]);
    }
}

/// Only one iteration replaces the first value.
#[kernel]
fn first_wins<T: AtomicSwap + Element>(slot: &mut Field<T>, x: &Field<T>, old: &mut Field<T>, free: T) {
    for i in x.indices() {
        old[i] = slot[0].atomic_compare_exchange(free, x[i]);
    }
}

#[kernel]
fn loads_and_stores<T: AtomicSwap + Element>(slot: &mut Field<T>, out: &mut Field<T>) {
    for i in out.indices() {
        out[i] = slot[i % 2].atomic_load();
        slot[2].atomic_store(out[i]);
    }
}

/// A maximum with its position, by a loop of compare and exchange.
#[kernel]
fn largest(x: &Field<i32>, best: &mut Field<u64>) {
    for i in x.indices() {
        let mine = ((x[i] + 1000) as u64) << 32 | i as u64;
        let mut seen = best[0].atomic_load();
        while mine > seen {
            let old = best[0].atomic_compare_exchange(seen, mine);
            if old == seen {
                break;
            }
            seen = old;
        }
    }
}

#[kernel]
fn vectors(x: &Field<Vec3>, y: &Field<DVec2>, out: &mut Field<Vec3>, wide: &mut Field<DVec2>, m: &mut Field<Mat2>) {
    for i in x.indices() {
        out[0].atomic_add(x[i]);
        out[1].atomic_sub(x[i]);
        out[2].atomic_min(x[i]);
        out[3].atomic_max(x[i]);
        wide[i % 2].atomic_add(y[i]);
        m[0].atomic_add(Mat2::from_array([[1.0, x[i].x], [0.0, 2.0]]));
    }
}

/// Atomics on one field, plain accesses to another, and atomics after them in a loop of their own.
#[kernel]
fn phases(x: &mut Field<i32>, total: &mut Field<i32>) {
    for i in x.indices() {
        total[0].atomic_add(x[i]);
        x[i] = 0;
    }
    for i in x.indices() {
        x[i] = total[0];
    }
    for i in total.indices() {
        total[i] += 1;
    }
    total[0].atomic_add(10);
    let n = x.len();
    if n > 0 {
        for k in serial(0..3) {
            x[k % n].atomic_max(1_000_000 + k as i32);
        }
    }
}

fn check_sums<T: AtomicAdd + Element + Default + PartialEq + Debug>(device: &Device, of: impl Fn(i32) -> T) {
    for n in SIZES {
        let values: Vec<i32> = (0..n).map(|i| scatter(i) & 63).collect();
        let x = Field::from_fn(device, n, |[i]| of(values[i])).unwrap();
        let all: i32 = values.iter().sum();
        let even: i32 = values.iter().step_by(2).sum();
        let mut out = super::support::field(device, &[of(0), of(all + 5), of(0), of(7)]);
        sums(&x, &mut out).unwrap();
        same("sums", &out, vec![of(all), of(5), of(even), of(7 + all - even)]);
    }
}

fn check_limits<T: AtomicOrd + Element + Default + PartialEq + Debug>(device: &Device, of: impl Fn(i32) -> T) {
    for n in SIZES {
        let values: Vec<i32> = (0..n).map(|i| scatter(i) + 101).collect();
        let x = Field::from_fn(device, n, |[i]| of(values[i])).unwrap();
        let mut out = super::support::field(device, &[of(90), of(17)]);
        limits(&x, &mut out).unwrap();
        let least = values.iter().fold(90, |a, v| a.min(*v));
        let most = values.iter().fold(17, |a, v| a.max(*v));
        same("limits", &out, vec![of(least), of(most)]);
    }
}

fn check_bits<T: AtomicBits + Element + Default + PartialEq + Debug>(device: &Device, of: impl Fn(u32) -> T) {
    for n in SIZES {
        let values: Vec<u32> = (0..n)
            .map(|i| (i as u32).wrapping_mul(2_654_435_769) & 0x7fff_ffff | 8)
            .collect();
        let x = Field::from_fn(device, n, |[i]| of(values[i])).unwrap();
        let mut out = super::support::field(device, &[of(0x7fff_0fff), of(2), of(1)]);
        bits(&x, &mut out).unwrap();
        let and = values.iter().fold(0x7fff_0fff, |a, v| a & v);
        let or = values.iter().fold(2, |a, v| a | v);
        let xor = values.iter().fold(1, |a, v| a ^ v);
        same("bits", &out, vec![of(and), of(or), of(xor)]);
    }
}

fn check_swaps<T: AtomicSwap + Element + Default + PartialEq + PartialOrd + Debug>(
    device: &Device,
    of: impl Fn(usize) -> T,
) {
    for n in SIZES {
        let x = Field::from_fn(device, n, |[i]| of(i + 1)).unwrap();
        let mut slot = super::support::field(device, &[of(0)]);
        let mut out = Field::zeros(device, n).unwrap();
        exchanges(&x, &mut slot, &mut out).unwrap();
        let mut seen = out.to_vec().unwrap();
        seen.extend(slot.to_vec().unwrap());
        seen.sort_by(|a, b| a.partial_cmp(b).unwrap());
        equal("exchanges", &seen, &(0..=n).map(&of).collect::<Vec<_>>());

        let mut slot = super::support::field(device, &[of(0)]);
        first_wins(&mut slot, &x, &mut out, of(0)).unwrap();
        let winner = slot.get(0).unwrap();
        let old = out.to_vec().unwrap();
        assert_eq!(old.iter().filter(|v| **v == of(0)).count(), n.min(1));
        for (i, old) in old.into_iter().enumerate() {
            assert_eq!(old, if winner == of(i + 1) { of(0) } else { winner });
        }

        let mut slot = super::support::field(device, &[of(3), of(5), of(0)]);
        loads_and_stores(&mut slot, &mut out).unwrap();
        same("loads", &out, (0..n).map(|i| of([3, 5][i % 2])).collect());
        let last = slot.get(2).unwrap();
        assert!(last == of(3) && n > 0 || last == of(5) && n > 1 || last == of(0) && n == 0);
    }
}

pub fn check(device: &Device) {
    for n in SIZES.into_iter().chain([100_000]) {
        let values: Vec<i32> = (0..n).map(scatter).collect();
        let x = super::support::field(device, &values);
        let mut bins = Field::zeros(device, 7).unwrap();
        histogram(&x, &mut bins).unwrap();
        let count = |k: i32| values.iter().filter(|v| v.rem_euclid(7) == k).count() as u32;
        same("histogram", &bins, (0..7).map(count).collect());
        let mut bins = Field::zeros(device, [2, 3]).unwrap();
        histogram_2d(&x, &mut bins).unwrap();
        let sum = |a: i32, b: i32| -> i64 {
            values
                .iter()
                .filter(|v| v.rem_euclid(2) == a && v.rem_euclid(3) == b)
                .map(|v| i64::from(*v))
                .sum()
        };
        let expected = ndarray::arr2(&[[sum(0, 0), sum(0, 1), sum(0, 2)], [sum(1, 0), sum(1, 1), sum(1, 2)]]);
        assert_eq!(bins.to_ndarray().unwrap(), expected);

        let mut counter = Field::full(device, 1, 10).unwrap();
        let mut taken = Field::zeros(device, n).unwrap();
        tickets(&mut counter, &mut taken).unwrap();
        let mut taken = taken.to_vec().unwrap();
        taken.sort_unstable();
        equal("tickets", &taken, &(10..10 + n as u32).collect::<Vec<_>>());
        assert_eq!(counter.get(0).unwrap(), 10 + n as u32);

        let mut count = Field::zeros(device, []).unwrap();
        let mut out = Field::zeros(device, n).unwrap();
        compact(&x, &mut count, &mut out).unwrap();
        let mut expected: Vec<i32> = values.iter().copied().filter(|v| *v > 0).collect();
        let mut got = out.to_vec().unwrap();
        got.truncate(count.get([]).unwrap() as usize);
        expected.sort_unstable();
        got.sort_unstable();
        equal("compact", &got, &expected);

        let mut best = Field::zeros(device, 1).unwrap();
        largest(&x, &mut best).unwrap();
        let expected = values
            .iter()
            .zip(0..)
            .map(|(v, i)| (((v + 1000) as u64) << 32) | i)
            .max();
        assert_eq!(best.get(0).unwrap(), expected.unwrap_or(0));
    }
    macro_rules! all {
        ($check:ident($v:ident: $of:expr): $($t:ident)*) => {
            $($check::<$t>(device, |$v| $of as $t);)*
        };
    }
    all! { check_sums(v: v): i32 u32 i64 u64 f32 f64 }
    all! { check_limits(v: v): i32 u32 i64 u64 f32 f64 }
    all! { check_limits(v: v * 2 - 300): i32 i64 f32 f64 }
    all! { check_bits(v: v): i32 u32 i64 u64 }
    check_bits::<u64>(device, |v| u64::from(v) << 32 | u64::from(v));
    all! { check_swaps(v: v): i32 u32 i64 u64 f32 f64 }
    for n in SIZES {
        check_vectors(device, n);
        let mut x = Field::from_fn(device, n, |[i]| scatter(i)).unwrap();
        let mut total = super::support::field(device, &[5, 6]);
        phases(&mut x, &mut total).unwrap();
        let sum = 5 + (0..n).map(scatter).sum::<i32>();
        same("phases", &total, vec![sum + 11, 7]);
        let mut expected = vec![sum; n];
        (0..3)
            .filter(|_| n > 0)
            .for_each(|k| expected[k % n] = 1_000_000 + k as i32);
        same("phases", &x, expected);
    }
}

fn check_vectors(device: &Device, n: usize) {
    let value = |i: usize| Vec3::new(scatter(i) as f32, i as f32, -(i as f32));
    let x = Field::from_fn(device, n, |[i]| value(i)).unwrap();
    let y = Field::from_fn(device, n, |[i]| DVec2::new(i as f64, 1.0)).unwrap();
    let mut out = super::support::field(device, &[Vec3::ZERO, Vec3::ZERO, Vec3::splat(50.0), Vec3::splat(-50.0)]);
    let mut wide = Field::zeros(device, 2).unwrap();
    let mut m = Field::zeros(device, 1).unwrap();
    vectors(&x, &y, &mut out, &mut wide, &mut m).unwrap();
    let sum = (0..n).map(value).fold(Vec3::ZERO, |a, v| a + v);
    let ends = (0..n)
        .map(value)
        .fold((Vec3::splat(50.0), Vec3::splat(-50.0)), |(a, b), v| {
            (a.min(v), b.max(v))
        });
    same("vectors", &out, vec![sum, Vec3::ZERO - sum, ends.0, ends.1]);
    let of = |r: usize| {
        (r..n)
            .step_by(2)
            .map(|i| DVec2::new(i as f64, 1.0))
            .fold(DVec2::ZERO, |a, v| a + v)
    };
    same("vectors", &wide, vec![of(0), of(1)]);
    let n = n as f32;
    same("vectors", &m, vec![Mat2::from_array([[n, sum.x], [0.0, 2.0 * n]])]);
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        histogram,
        histogram_2d,
        tickets,
        compact,
        sums<i32>,
        sums<u32>,
        sums<i64>,
        sums<u64>,
        sums<f32>,
        sums<f64>,
        limits<i32>,
        limits<u32>,
        limits<i64>,
        limits<u64>,
        limits<f32>,
        limits<f64>,
        bits<i32>,
        bits<u32>,
        bits<i64>,
        bits<u64>,
        exchanges<i32>,
        exchanges<u32>,
        exchanges<i64>,
        exchanges<u64>,
        exchanges<f32>,
        exchanges<f64>,
        first_wins<i32>,
        first_wins<u32>,
        first_wins<i64>,
        first_wins<u64>,
        first_wins<f32>,
        first_wins<f64>,
        loads_and_stores<i32>,
        loads_and_stores<u64>,
        loads_and_stores<f32>,
        loads_and_stores<f64>,
        largest,
        vectors,
        phases
    ]
}
