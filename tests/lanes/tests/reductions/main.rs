//! Sums and the like: the same bits for every number of threads and every instruction set.

mod conditional;
mod extremes;

use swathe::{Technique, prelude::*};
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

#[kernel(strict)]
fn rows(u: &Field<f32, 2>) -> f32 {
    let [h, w] = u.shape();
    let mut sum = 0.0;
    for i in 0..h {
        for j in 0..w {
            sum += u[[i, j]];
        }
    }
    sum
}

/// Beside stores, with neighbours, of several kinds, and one round left out.
#[kernel(strict)]
fn rows_beside(u: &Field<f32, 2>, v: &mut Field<f32, 2>, p: &Field<Vec2, 2>) -> (f32, f32, f32, Vec2, u32, bool) {
    let [h, w] = u.shape();
    let (mut change, mut low, mut high) = (100.0, 0.5_f32, -1.0_f32);
    let (mut place, mut count, mut all) = (Vec2::new(1.0, 2.0), 7_u32, true);
    for i in 1..h.max(2) - 1 {
        for j in 1..w.max(2) - 1 {
            let mean = 0.25 * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]]);
            v[[i, j]] = mean;
            change -= mean - u[[i, j]];
            low = low.min(mean);
            if mean > 0.75 {
                continue;
            }
            high = mean.max(high);
            count += 1;
        }
        for _ in 0..=w {
            all &= i < 60;
        }
        for j in (i as i32)..(w as i32) {
            place += p[[i, j as usize]];
        }
    }
    (change, low, high, place, count, all)
}

/// A line in blocks, whose ranges differ.
#[kernel(strict)]
fn in_blocks(x: &Field<f32>, block: usize) -> f32 {
    let mut sum = 0.0;
    let n = x.len();
    for b in 0..n.div_ceil(block) {
        for i in b * block..((b + 1) * block).min(n) {
            sum += x[i];
        }
    }
    sum
}

/// With an index from data, which is checked in place, below the diagonal.
#[kernel(strict)]
fn gathered(u: &Field<f32, 2>, at: &Field<u32>) -> f32 {
    let [h, w] = u.shape();
    let mut sum = 0.0;
    for i in 0..h {
        for j in i..w {
            sum += u[[i, at[j] as usize]];
        }
    }
    sum
}

/// Up and down in turns: in parts it would be below zero.
#[kernel]
fn up_and_down(u: &Field<f32, 2>) -> u32 {
    let [h, w] = u.shape();
    let mut count = 0;
    for i in 0..h {
        for j in 0..w {
            if u[[i, j]] < 9.0 && j % 2 == 0 {
                count += 1;
            } else {
                count -= 1;
            }
        }
        for j in 0..w {
            if j % 2 == 0 {
                continue;
            }
            count += 1;
        }
        for j in 0..w / 2 {
            count -= (u[[i, j]] > 9.0) as u32;
        }
    }
    count
}

/// What comes behind `||` is evaluated where the variable does not decide.
#[kernel]
fn found(u: &Field<f32, 2>) -> bool {
    let [h, w] = u.shape();
    let mut found = false;
    for i in 0..h {
        for j in 0..w {
            found = found || u[[i, j]] < 9.0;
        }
    }
    found
}

/// What the rounds of a row add up to: round `k` to part `k % 64`, the parts by halves.
fn in_parts(row: impl Iterator<Item = f32>) -> f32 {
    let mut parts = [0.0_f32; 64];
    for (k, value) in row.enumerate() {
        parts[k % 64] += value;
    }
    let mut half = 32;
    while half > 0 {
        for k in 0..half {
            parts[k] += parts[k + half];
        }
        half /= 2;
    }
    parts[0]
}

#[test]
fn sequential_loops_accumulate_into_parts() {
    let plans = [
        (rows::plan(), true),
        (rows_beside::plan(), true),
        (in_blocks::plan(), true),
        (gathered::plan(), false),
        (up_and_down::plan(), false),
        (found::plan(), false),
    ];
    for (plan, in_parts) in plans {
        let mut techniques = plan.loops()[0].techniques.iter();
        let found = techniques.any(|t| matches!(t, Technique::Accumulators { parts: 64 }));
        assert_eq!(found, in_parts, "{plan}");
    }
    let device = &Device::cpu();
    for w in [0, 1, 7, 8, 17, 63, 64, 65, 100, 1000] {
        let at = |i: usize, j: usize| number(i * w + j) - 0.3;
        let u = Field::from_fn(device, [1, w], |[i, j]| at(i, j)).unwrap();
        let column = field(w, |j| ((j * 7 + 3) % w) as u32);
        let bits = same(|| rows(&u).unwrap().to_bits());
        let expected = in_parts((0..w).map(|j| at(0, j)));
        assert_eq!(f32::from_bits(bits), expected, "{w}");
        let bits = same(|| gathered(&u, &column).unwrap().to_bits());
        let expected = (0..w).fold(0.0, |sum, j| sum + at(0, (j * 7 + 3) % w));
        assert_eq!(f32::from_bits(bits), expected, "{w}, gathered");
        assert_eq!(same(|| up_and_down(&u).unwrap()), (w % 2 + w / 2) as u32, "{w}");
        assert_eq!(same(|| found(&u).unwrap()), w > 0, "{w}");
    }
    for (n, block) in [(0, 3), (1, 1), (1000, 64), (1000, 17), (5000, 1024), (100_003, 1000)] {
        let x = field(n, |i| number(i) - 0.25);
        let bits = same(|| in_blocks(&x, block).unwrap().to_bits());
        let exact: f64 = (0..n).map(|i| f64::from(number(i) - 0.25)).sum();
        let error = (f64::from(f32::from_bits(bits)) - exact).abs();
        assert!(error <= 1e-5 * (n as f64 + 1.0), "{n} in blocks of {block}: {error}");
    }
}

#[test]
fn sequential_loops_accumulate_beside_stores() {
    let device = &Device::cpu();
    for [h, w] in [[0, 3], [1, 1], [3, 17], [17, 3], [70, 64], [7, 201]] {
        // Quarters, of which the sums are exact.
        let at = |i: usize, j: usize| ((i * 7919 + j * 104_729) % 257) as f32 / 64.0 - 1.5;
        let u = Field::from_fn(device, [h, w], |[i, j]| at(i, j)).unwrap();
        let p = Field::from_fn(device, [h, w], |[i, j]| Vec2::new((i * w + j) as f32, j as f32)).unwrap();
        let mut v = Field::<f32, 2>::zeros(device, [h, w]).unwrap();
        let (change, low, high, place, count, all) = same(|| rows_beside(&u, &mut v, &p).unwrap());
        let (mut expected, mut means) = (
            (100.0, 0.5_f32, -1.0_f32, Vec2::new(1.0, 2.0), 7, true),
            vec![0.0; h * w],
        );
        for i in 1..h.max(2) - 1 {
            for j in 1..w.max(2) - 1 {
                let mean = 0.25 * (at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1));
                means[i * w + j] = mean;
                expected.0 -= mean - at(i, j);
                expected.1 = expected.1.min(mean);
                if mean <= 0.75 {
                    expected.2 = expected.2.max(mean);
                    expected.4 += 1;
                }
            }
            expected.5 &= i < 60;
            for j in i..w.max(i) {
                expected.3 += Vec2::new((i * w + j) as f32, j as f32);
            }
        }
        assert_eq!((change, low, high, place, count, all), expected, "{h} x {w}");
        assert_eq!(v.to_vec().unwrap(), means, "{h} x {w}");
    }
}

#[kernel(strict)]
fn beside_counts(x: &Field<f32>, count: &mut Field<u32>) -> f32 {
    let mut sum = 0.0;
    for i in x.indices() {
        sum += x[i];
        count[i].atomic_add(1);
    }
    sum
}

#[test]
fn sums_beside_atomic_operations() {
    for n in SIZES.into_iter().chain([100_003, 1_000_003]) {
        let x = field(n, |i| number(i) - 0.25);
        let mut count = Field::<u32>::zeros(&Device::cpu(), n).unwrap();
        let bits = same(|| beside_counts(&x, &mut count).unwrap().to_bits());
        let exact: f64 = (0..n).map(|i| f64::from(number(i) - 0.25)).sum();
        let error = (f64::from(f32::from_bits(bits)) - exact).abs();
        assert!(error <= 1e-5 * (n as f64 + 1.0), "{n}: {error}");
        let counts = count.to_vec().unwrap();
        assert!(counts.iter().all(|n| *n == counts[0] && *n > 1), "{n}");
        // Too many for each thread to have a copy: several threads add atomically.
        let mut count = Field::<u32>::zeros(&Device::cpu(), 9 * n).unwrap();
        let again = same(|| beside_counts(&x, &mut count).unwrap().to_bits());
        assert_eq!(f32::from_bits(again), f32::from_bits(bits), "{n}");
        let counts = count.to_vec().unwrap();
        assert!(counts[..n].iter().all(|n| *n == counts[0] && *n > 1), "{n}");
        assert!(counts[n..].iter().all(|n| *n == 0), "{n}");
    }
}

/// Under conditions, and to one place.
#[kernel]
fn beside_places(x: &Field<f32>, count: &mut Field<u32>, total: &mut Field<u32>) -> (f32, u32) {
    let (mut sum, mut number) = (0.0, 0);
    for i in x.indices() {
        let v = 1 + i as u32 % 3;
        if x[i] > 0.0 {
            count[i].atomic_add(v);
            sum += x[i];
        }
        total[0].atomic_add(v);
        number += v;
    }
    (sum, number)
}

/// Sequential loops that lanes leave one by one.
#[kernel]
fn beside_steps(x: &Field<u32>, count: &mut Field<u32>) -> u64 {
    let mut total = 0_u64;
    for i in x.indices() {
        let (mut k, mut n) = (x[i], 0);
        while k > 1 {
            k = if k % 2 == 0 { k / 2 } else { 3 * k + 1 };
            n += 1;
            if n > 60 {
                break;
            }
            count[i].atomic_add(1);
        }
        total += n as u64;
    }
    total
}

/// The inside of rows.
#[kernel]
fn beside_rows(u: &Field<f32, 2>, count: &mut Field<u32, 2>) -> f32 {
    let w = u.shape()[1];
    let mut sum = 0.0;
    for [i, j] in u.indices() {
        if j > 0 && j + 1 < w {
            sum += u[[i, j - 1]] + u[[i, j + 1]];
        }
        count[[i, j]].atomic_add(1 + j as u32 % 2);
    }
    sum
}

/// Fields that are too large for each thread to have a copy: several threads add atomically from lanes.
#[test]
fn sums_beside_additions_of_several_threads() {
    let device = &Device::cpu();
    for n in SIZES.into_iter().chain([1_000_003]) {
        let x = field(n, |i| number(i) - 0.25);
        let mut count = Field::<u32>::zeros(device, 9 * n).unwrap();
        let mut total = Field::<u32>::zeros(device, 9 * n + 1).unwrap();
        let mut runs = 0;
        let (sum, all) = same(|| {
            runs += 1;
            beside_places(&x, &mut count, &mut total).unwrap()
        });
        let v = |i: usize| 1 + i as u32 % 3;
        let positive = |i: usize| number(i) - 0.25 > 0.0;
        let exact: f64 = (0..n)
            .filter(|i| positive(*i))
            .map(|i| f64::from(number(i) - 0.25))
            .sum();
        assert!(
            (f64::from(sum) - exact).abs() <= 1e-5 * (n as f64 + 1.0),
            "{n}: {sum}, not {exact}"
        );
        assert_eq!(all, (0..n).map(v).sum::<u32>(), "{n}");
        assert_eq!(total.to_vec().unwrap()[0], runs * all, "{n}");
        let counts = count.to_vec().unwrap();
        let expected = |i: usize| if i < n && positive(i) { runs * v(i) } else { 0 };
        assert!((0..9 * n).all(|i| counts[i] == expected(i)), "{n}");

        let k = field(n, |i| i as u32 % 97);
        let mut count = Field::<u32>::zeros(device, 9 * n).unwrap();
        let mut runs = 0;
        let total = same(|| {
            runs += 1;
            beside_steps(&k, &mut count).unwrap()
        });
        let steps = |i: usize| {
            let (mut k, mut n) = (i as u32 % 97, 0);
            while k > 1 && n <= 60 {
                k = if k % 2 == 0 { k / 2 } else { 3 * k + 1 };
                n += 1;
            }
            n
        };
        assert_eq!(total, (0..n).map(|i| u64::from(steps(i))).sum::<u64>(), "{n}");
        let counts = count.to_vec().unwrap();
        assert!((0..n).all(|i| counts[i] == runs * steps(i).min(60)), "{n}");
        assert!(counts[n..].iter().all(|n| *n == 0), "{n}");
    }
    for [h, w] in [[0, 3], [1, 1], [3, 17], [17, 3], [70, 64], [1000, 1001]] {
        let at = |i: usize, j: usize| number(i * w + j) - 0.3;
        let u = Field::from_fn(device, [h, w], |[i, j]| at(i, j)).unwrap();
        let mut count = Field::<u32, 2>::zeros(device, [9 * h, w]).unwrap();
        let mut runs = 0;
        let sum = same(|| {
            runs += 1;
            beside_rows(&u, &mut count).unwrap()
        });
        let terms =
            (0..h).flat_map(|i| (1..w.max(2) - 1).map(move |j| f64::from(at(i, j - 1)) + f64::from(at(i, j + 1))));
        let exact: f64 = terms.sum();
        assert!(
            (f64::from(sum) - exact).abs() <= 1e-5 * ((h * w) as f64 + 1.0),
            "{h} x {w}: {sum}, not {exact}"
        );
        let counts = count.to_vec().unwrap();
        let expected = |k: usize| if k < h * w { runs * (1 + (k % w) as u32 % 2) } else { 0 };
        assert!((0..9 * h * w).all(|k| counts[k] == expected(k)), "{h} x {w}");
    }
}
