//! Functions that are lent fields: in the inside of rows they read without checks.

use swathe::{Technique, prelude::*};
use swathe_tests_lanes::{field, same, values, versions};

#[func]
fn laplace(u: &Field<i64, 2>, i: usize, j: usize) -> i64 {
    u[[i - 1, j]] + 3 * u[[i + 1, j]] - 7 * u[[i, j - 1]] + 11 * u[[i, j + 1]] - 4 * u[[i, j]]
}

#[func]
fn at<T: Element, const D: usize>(u: &Field<T, D>, place: [usize; D]) -> T {
    u[place]
}

/// By other names, as parts, as numbers, and through another function, of which one argument is no position.
#[func]
fn ways(u: &Field<i64, 2>, place: [usize; 2], k: usize, x: f64) -> i64 {
    let [i, j] = place;
    let left = j - 2;
    let there = u[[i, left]] + 5 * u[[0, place[1] + 1]] - u[place];
    there + at(u, [place[0], 1 + j]) * at(u, [i, k]) + x as i64
}

#[kernel]
fn inner(u: &Field<i64, 2>, v: &mut Field<i64, 2>) {
    for [i, j] in u.interior(1) {
        v[[i, j]] = laplace(u, i, j);
    }
}

#[kernel]
fn guarded(u: &Field<i64, 2>, from: &Field<u32>, v: &mut Field<i64, 2>) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        let mut sum = if i > 0 && i + 1 < h && j > 0 && j + 1 < w {
            laplace(u, i, j)
        } else {
            -1
        };
        if j > 1 && j + 1 < w {
            sum += ways(u, [i, j], from[j] as usize, 0.5 * j as f64);
        }
        for a in 0..3 {
            if j + 4 < w {
                sum += at(u, [i, j + 2 * a]);
            }
        }
        v[[i, j]] = sum;
    }
}

/// Its reads are out of bounds at one end of each row, or everywhere.
#[kernel]
fn beyond(u: &Field<i64, 2>, v: &mut Field<i64, 2>, by: usize) {
    for [i, j] in v.indices() {
        v[[i, j]] = at(u, [i, j + by]) + at(u, [i, j]);
    }
}

/// A smaller field, through a function that reads two of them.
#[func]
fn both(x: &Field<i64>, y: &Field<i64>, i: usize) -> i64 {
    x[i] * 3 - y[i + 1]
}

#[kernel]
fn lines(x: &Field<i64>, y: &Field<i64>, v: &mut Field<i64>) {
    for i in v.indices() {
        v[i] = both(x, y, i);
    }
}

fn split(plan: &swathe::Plan) -> Option<[usize; 2]> {
    plan.loops()[0].techniques.iter().find_map(|technique| match technique {
        Technique::Split { comparisons, accesses } => Some([*comparisons, *accesses]),
        _ => None,
    })
}

#[test]
fn calls_are_split() {
    assert_eq!(split(&inner::plan()), Some([0, 2]), "{}", inner::plan());
    assert_eq!(split(&beyond::plan()), Some([0, 2]), "{}", beyond::plan());
    assert_eq!(split(&lines::plan()), Some([0, 1]), "{}", lines::plan());
    assert_eq!(split(&guarded::plan()), Some([5, 3]), "{}", guarded::plan());
}

/// The functions on the host, which checks, are what they are compared with.
#[test]
fn calls_agree_with_those_of_the_host() {
    versions(|name| {
        for [h, w] in [[0, 0], [1, 1], [3, 4], [2, 25], [5, 64], [40, 101]] {
            let device = &Device::cpu();
            let u = Field::from_fn(device, [h, w], |[i, j]| (i * 37 + j * 101) as i64 % 61 - 20).unwrap();
            let from = field(w, |j| (j * 7 % w) as u32);
            let mut v = Field::full(device, [h, w], 9_i64).unwrap();
            let inside = |k: usize| (k / w, k % w, k / w > 0 && k / w + 1 < h && k % w > 0 && k % w + 1 < w);
            inner(&u, &mut v).unwrap();
            same(&format!("inner {name}"), &values(&v), |k| match inside(k) {
                (i, j, true) => laplace(&u, i, j),
                _ => 9,
            });
            guarded(&u, &from, &mut v).unwrap();
            same(&format!("guarded {name}"), &values(&v), |k| {
                let (i, j, inside) = inside(k);
                let mut sum = if inside { laplace(&u, i, j) } else { -1 };
                if j > 1 && j + 1 < w {
                    sum += ways(&u, [i, j], j * 7 % w, 0.5 * j as f64);
                }
                if j + 4 < w {
                    sum += (0..3).map(|a| at(&u, [i, j + 2 * a])).sum::<i64>();
                }
                sum
            });
        }
    });
}

#[test]
fn what_they_read_beyond_is_told() {
    versions(|name| {
        let number = |[i, j]: [usize; 2]| (100 * i + j) as i64;
        let u = Field::from_fn(&Device::cpu(), [3, 64], number).unwrap();
        for (by, beyond_end) in [(0, 0), (1, 1), (30, 30), (70, 64), (usize::MAX - 100, 64)] {
            let mut v = Field::full(&Device::cpu(), [3, 64], -1_i64).unwrap();
            match beyond(&u, &mut v, by) {
                Ok(()) => assert_eq!(beyond_end, 0, "{name}"),
                Err(Error::OutOfBounds { count, index, .. }) => {
                    assert_eq!((count, index[0]), (3 * beyond_end, 0), "{name}: {by}");
                    assert_eq!(index[1], 64_usize.saturating_sub(by).wrapping_add(by), "{name}: {by}");
                }
                Err(error) => panic!("{name}: {error}"),
            }
            same(name, &values(&v), |k| match [k / 64, k % 64] {
                [i, j] if j < 64 - beyond_end => number([i, j + by]) + number([i, j]),
                _ => -1,
            });
        }
        for (x, y) in [(100, 101), (60, 101), (100, 41), (0, 0), (100, 1)] {
            let (x, y) = (field(x, |i| i as i64 + 1), field(y, |i| 5 * i as i64));
            let mut v = field(100, |_| -1_i64);
            let reached = x.len().min(y.len().saturating_sub(1)).min(100);
            let failed = lines(&x, &y, &mut v).is_err();
            assert_eq!(failed, reached < 100, "{name}");
            same(name, &values(&v), |i| match i < reached {
                true => (i as i64 + 1) * 3 - 5 * (i as i64 + 1),
                false => -1,
            });
        }
    });
}

macro_rules! three_of {
    ($($of:ident $name:ident)*) => {$(
        #[func]
        fn $name(u: &Field<u32>, i: usize) -> u32 {
            let two = $of(u, i + 1).wrapping_mul(3) ^ $of(u, i + 2).wrapping_mul(5);
            $of(u, i).wrapping_mul(2) ^ two
        }
    )*};
}

#[func]
fn single(u: &Field<u32>, i: usize) -> u32 {
    u[i]
}

three_of! { single of3 of3 of9 of9 of27 of27 of81 of81 of243 of243 of729 of729 of2187 }

/// They ask no more than a row is worth: all of this is compiled in a moment.
#[kernel]
fn towers(u: &Field<u32>, low: &mut Field<u32>, high: &mut Field<u32>) {
    for i in low.indices() {
        low[i] = of27(u, i);
        high[i] = of2187(u, i);
    }
}

#[test]
fn functions_upon_functions() {
    fn tower(u: &[u32], height: u32, i: usize) -> u32 {
        let Some(below) = height.checked_sub(1) else {
            return u[i];
        };
        let two = tower(u, below, i + 1).wrapping_mul(3) ^ tower(u, below, i + 2).wrapping_mul(5);
        tower(u, below, i).wrapping_mul(2) ^ two
    }
    for n in [0, 1, 3, 17, 100] {
        let u: Vec<u32> = (0..n + 14).map(|i| (i * 7919 % 1001) as u32).collect();
        versions(|name| {
            for (short, fails) in [(0, false), (1, n > 0)] {
                let x = field(n + 14 - short, |i| u[i]);
                let (mut low, mut high) = (field(n, |_| 1), field(n, |_| 1));
                assert_eq!(towers(&x, &mut low, &mut high).is_err(), fails, "{name}");
                same(name, &values(&low), |i| tower(&u, 3, i));
                same(
                    name,
                    &values(&high),
                    |i| if i + short < n { tower(&u, 7, i) } else { 1 },
                );
            }
        });
    }
}
