//! Sums and the like: the same bits for every number of threads and every instruction set.

use swathe::prelude::*;
use swathe_tests_lanes::{SIZES, field, number, versions};

#[kernel]
fn sum(x: &Field<f32>) -> f32 {
    let mut s = 0.0;
    for i in x.indices() {
        s += x[i];
    }
    s
}

#[kernel]
fn product(x: &Field<f32>, y: &Field<f64>) -> f64 {
    let mut s = 1.0;
    for i in x.indices() {
        if x[i] > 0.9 {
            continue;
        }
        s += x[i] as f64 * y[i];
    }
    s
}

#[kernel]
fn several(x: &Field<i32, 2>, v: &Field<Vec3>) -> (i32, i32, u32, Vec3, bool, i32) {
    let (mut low, mut high) = (i32::MAX, -5);
    let mut count = 100u32;
    let mut total = Vec3::new(0.5, 0.0, 0.0);
    let mut all = true;
    let mut rest = 7;
    for [i, j] in x.indices() {
        low = low.min(x[[i, j]]);
        high = high.max(x[[i, j]]);
        if x[[i, j]] % 2 == 0 {
            count -= 1;
        }
        rest -= x[[i, j]];
    }
    for i in v.indices() {
        total += v[i];
        all &= v[i].x < 2.0;
    }
    (low, high, count, total, all, rest)
}

/// A reduction of a body with a loop.
#[kernel]
fn steps(x: &Field<u32>) -> (u64, u32) {
    let mut total = 0u64;
    let mut most = 0;
    for i in x.indices() {
        let mut k = x[i];
        let mut n = 0;
        while k > 1 {
            k = if k % 2 == 0 { k / 2 } else { 3 * k + 1 };
            n += 1;
            if n > 60 {
                break;
            }
        }
        total += n as u64;
        most = most.max(n);
    }
    (total, most)
}

/// Checks that all versions give the same value, and returns it.
fn same<T: PartialEq + std::fmt::Debug + Copy + Send>(mut f: impl FnMut() -> T + Send) -> T {
    let mut first = None;
    versions(|version| {
        let value = f();
        assert_eq!(*first.get_or_insert(value), value, "{version}");
    });
    first.expect("at least one version")
}

#[test]
fn sums_have_the_same_bits_in_all_versions() {
    for n in SIZES.into_iter().chain([100_003]) {
        let x = field(n, |i| number(i) - 0.25);
        let y = field(n, |i| f64::from(number(i + 17)));
        let bits = same(|| sum(&x).unwrap().to_bits());
        let exact: f64 = (0..n).map(|i| f64::from(number(i) - 0.25)).sum();
        let error = (f64::from(f32::from_bits(bits)) - exact).abs();
        assert!(error <= 1e-5 * (n as f64 + 1.0), "{n}: {error}");

        let bits = same(|| product(&x, &y).unwrap().to_bits());
        let term = |i: usize| f64::from(number(i) - 0.25) * f64::from(number(i + 17));
        let exact: f64 = 1.0 + (0..n).filter(|i| number(*i) - 0.25 <= 0.9).map(term).sum::<f64>();
        let error = (f64::from_bits(bits) - exact).abs();
        assert!(error <= 1e-14 * (n as f64 + 1.0), "{n}: {error}");
    }
}

#[test]
fn other_reductions() {
    for [h, w] in [[0, 0], [1, 1], [3, 17], [2, 64], [7, 201]] {
        let value = |k: usize| (k * 7919 % 1009) as i32 - 300;
        let mut x = Field::<i32, 2>::zeros(&Device::cpu(), [h, w]).unwrap();
        let all: Vec<i32> = (0..h * w).map(value).collect();
        x.copy_from_slice(&all).unwrap();
        let v = field(h * w, |k| Vec3::new(number(k), 1.0, -(k as f32)));
        let (low, high, count, total, all_small, rest) = same(|| several(&x, &v).unwrap());
        let n = (h * w) as f32;
        assert_eq!(low, all.iter().copied().min().unwrap_or(i32::MAX));
        assert_eq!(high, all.iter().copied().max().unwrap_or(-5).max(-5));
        assert_eq!(
            count,
            100_u32.wrapping_sub(all.iter().filter(|x| *x % 2 == 0).count() as u32)
        );
        assert_eq!(
            (total.y, total.z, all_small),
            (n, -(n * (n - 1.0)).max(0.0) / 2.0, true)
        );
        assert_eq!(rest, 7 - all.iter().sum::<i32>());
    }
}

#[test]
fn reductions_of_bodies_with_loops() {
    for n in SIZES {
        let x = field(n, |i| (i * 31 % 127) as u32);
        let steps_of = |i: usize| {
            let (mut k, mut n) = (i * 31 % 127, 0_u32);
            while k > 1 {
                k = if k.is_multiple_of(2) { k / 2 } else { 3 * k + 1 };
                n += 1;
                if n > 60 {
                    break;
                }
            }
            n
        };
        let expected = (
            (0..n).map(|i| u64::from(steps_of(i))).sum(),
            (0..n).map(steps_of).max().unwrap_or(0),
        );
        assert_eq!(same(|| steps(&x).unwrap()), expected, "{n}");
    }
}

#[kernel]
fn into_variables(x: &Field<f32>) -> (f32, f32) {
    let (mut a, mut b) = (0.0, 1.0_f32);
    for i in x.indices() {
        a += x[i] * x[i];
        b = b.max(x[i]);
    }
    (a, b)
}

#[kernel]
fn into_parts(x: &Field<f32>) -> (f32, f32) {
    let (mut s, mut v) = ([0.0_f32; 2], Vec2::ONE);
    for i in x.indices() {
        s[1] += x[i] * x[i];
        v.y = v.y.max(x[i]);
    }
    (s[1], v.y)
}

/// A part of a variable is accumulated as a variable is: in the same form, with the same bits.
#[test]
fn parts_are_variables() {
    let form = |plan: String| {
        plan.lines()
            .skip(1)
            .map(|line| line[line.find(": ").unwrap_or(0)..].to_owned())
            .collect::<Vec<_>>()
    };
    let plan = form(into_variables::plan().to_string());
    assert!(plan.iter().any(|line| line.contains("lanes")), "{plan:?}");
    assert_eq!(form(into_parts::plan().to_string()), plan);
    for n in SIZES {
        versions(|version| {
            let x = field(n, number);
            assert_eq!(into_parts(&x).unwrap(), into_variables(&x).unwrap(), "{n}, {version}");
        });
    }
}
