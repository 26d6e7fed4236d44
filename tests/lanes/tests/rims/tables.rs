//! Neighbours by tables of distances, and by short loops beside guards.

use swathe::{Plan, Technique, prelude::*};
use swathe_tests_lanes::{field, same, values, versions};

const AROUND: [[i32; 2]; 4] = [[-1, 0], [2, 1], [0, -3], [1, 1]];
const BYTES: [u8; 5] = [0, 7, 3, 200, 1];
const FLOATS: [f32; 3] = [0.5, 2.9, 6.0];
const MANY: [usize; 40] = [1; 40];

struct Spread;

impl Spread {
    const BY: [usize; 2] = [3, 1];
}

fn split(plan: Plan) -> [usize; 2] {
    let mut techniques = plan.loops()[0].techniques.iter();
    techniques
        .find_map(|technique| match technique {
            Technique::Split { comparisons, accesses } => Some([*comparisons, *accesses]),
            _ => None,
        })
        .unwrap_or_default()
}

#[kernel]
fn clamped(u: &Field<i64, 2>, v: &mut Field<i64, 2>) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        let mut sum = 0;
        for [di, dj] in AROUND {
            let y = (i as i32 + di).clamp(0, h as i32 - 1);
            let x = (j as i32 + dj).max(0).min(w as i32 - 1);
            sum = 3 * sum + u[[y as usize, x as usize]];
        }
        v[[i, j]] = sum;
    }
}

#[kernel]
fn guarded(u: &Field<i64, 2>, v: &mut Field<i64, 2>) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        let mut sum = 7;
        for q in 0..AROUND.len() {
            let [di, dj] = AROUND[q];
            let (y, x) = (i as i32 + di, j as i32 + dj);
            if y >= 0 && y < h as i32 && x >= 0 && x < w as i32 {
                sum = 3 * sum + u[[y as usize, x as usize]];
            }
        }
        v[[i, j]] = sum;
    }
}

/// The same with a table of literals, and one that is passed.
#[kernel]
fn guarded_by_others(u: &Field<i64, 2>, v: &mut Field<i64, 2>, around: [[i32; 2]; 4]) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        let mut sum = 7;
        for [di, dj] in [[-1, 0], [2, 1], [0, -3], [1, 1]] {
            let (y, x) = (i as i32 + di, j as i32 + dj);
            if y >= 0 && y < h as i32 && x >= 0 && x < w as i32 {
                sum = 3 * sum + u[[y as usize, x as usize]];
            }
        }
        for d in around {
            let (y, x) = (i as i32 - d[0], j as i32 - d[1]);
            if (0 <= y && h as i32 > y) && (0 <= x && w as i32 > x) {
                sum = 5 * sum + u[[y as usize, x as usize]];
            }
        }
        v[[i, j]] = sum;
    }
}

#[kernel]
fn around_box(u: &Field<i64, 2>, v: &mut Field<i64, 2>) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        let mut sum = 0;
        for di in -1..=1_isize {
            for dj in (-2..=1_isize).rev() {
                let x = (j as isize + dj).rem_euclid(w as isize) as usize;
                let y = i as isize + di;
                if y >= 0 && y < h as isize {
                    sum = 3 * sum + u[[y as usize, x]];
                }
            }
        }
        v[[i, j]] = sum;
    }
}

fn compare(name: &str, u: &Field<i64, 2>, kernel: impl Fn(&mut Field<i64, 2>), plain: impl Fn(i64, i64) -> i64) {
    let mut v = Field::full(u.device(), u.shape(), -1_i64).unwrap();
    kernel(&mut v);
    let w = u.shape()[1];
    same(name, &values(&v), |k| plain((k / w) as i64, (k % w) as i64));
}

#[test]
fn neighbours_by_tables() {
    assert_eq!(split(clamped::plan()), [3, 1]);
    assert_eq!(split(guarded::plan()), [4, 1]);
    assert_eq!(split(guarded_by_others::plan()), [8, 2]);
    assert_eq!(split(around_box::plan()), [3, 1]);
    versions(|name| {
        for shape in [[1, 1], [3, 2], [2, 30], [5, 64], [40, 101]] {
            let [h, w] = shape.map(|n| n as i64);
            let of = move |i: i64, j: i64| (i * 37 + j * 101) % 61 - 20;
            let u = Field::from_fn(&Device::cpu(), shape, |[i, j]| of(i as i64, j as i64)).unwrap();
            let around = AROUND.map(|d| d.map(i64::from));
            let inner = |i: i64, j: i64| (0..h).contains(&i) && (0..w).contains(&j);
            let sum = |i: i64, j: i64, first: i64, by: i64, sign: i64| {
                let at = around.map(|[a, b]| (i + sign * a, j + sign * b)).into_iter();
                let seen = at.filter(|(i, j)| inner(*i, *j));
                seen.fold(first, |sum, (i, j)| by * sum + of(i, j))
            };
            compare(
                &format!("clamped, {name}"),
                &u,
                |v| clamped(&u, v).unwrap(),
                |i, j| {
                    let at = around.map(|[a, b]| of((i + a).clamp(0, h - 1), (j + b).clamp(0, w - 1)));
                    at.into_iter().fold(0, |sum, x| 3 * sum + x)
                },
            );
            compare(
                &format!("guarded, {name}"),
                &u,
                |v| guarded(&u, v).unwrap(),
                |i, j| sum(i, j, 7, 3, 1),
            );
            compare(
                &format!("guarded by others, {name}"),
                &u,
                |v| guarded_by_others(&u, v, AROUND).unwrap(),
                |i, j| sum(i, j, sum(i, j, 7, 3, 1), 5, -1),
            );
            // Distances that are no neighbours at all.
            compare(
                &format!("far, {name}"),
                &u,
                |v| guarded_by_others(&u, v, [[i32::MAX, i32::MIN]; 4]).unwrap(),
                |i, j| {
                    let far = |k: i64| i64::from((k as i32).wrapping_sub(i32::MIN));
                    let seen = inner(i64::from((i as i32).wrapping_sub(i32::MAX)), far(j));
                    assert!(!seen);
                    sum(i, j, 7, 3, 1)
                },
            );
            compare(
                &format!("box, {name}"),
                &u,
                |v| around_box(&u, v).unwrap(),
                |i, j| {
                    let rows = [i - 1, i, i + 1].into_iter().filter(|i| (0..h).contains(i));
                    let all = rows.flat_map(|i| [1, 0, -1, -2].map(|d| (i, (j + d).rem_euclid(w))));
                    all.fold(0, |sum, (i, j)| 3 * sum + of(i, j))
                },
            );
        }
    });
}

/// Items by data and by literals, of constants of several types.
#[kernel]
fn by_data(u: &Field<i64>, v: &mut Field<i64>, which: &Field<u8>) {
    for i in v.indices() {
        let k = which[i] as usize;
        v[i] = u[i + BYTES[k] as usize] + 3 * u[i + FLOATS[k % 3] as usize] - 7 * u[i + Spread::BY[1]]
            + 11 * u[i + Spread::BY[k % 2] - 1];
    }
}

/// More items than are looked at, one that stands beyond, and two that are not the same.
#[kernel]
fn by_many(u: &Field<i64>, v: &mut Field<i64>, far: [usize; 3], k: usize) {
    for i in v.indices() {
        v[i] = u[i + MANY[k]] + 3 * u[i + 5 - far[2]] + 5 * u[i + far[k % 3] - far[(k + 1) % 3]];
    }
}

#[test]
fn items_of_tables() {
    assert_eq!(split(by_data::plan()), [0, 4]);
    assert_eq!(split(by_many::plan()), [0, 3]);
    let number = |i: usize| (i as i64 * 37) % 101 - 40;
    versions(|name| {
        for n in [1, 3, 64, 300] {
            let (u, mut v) = (field(n + 200, number), field(n, |_| 0));
            let which = field(n, |i| (i * 3 % 5) as u8);
            by_data(&u, &mut v, &which).unwrap();
            same(name, &values(&v), |i| {
                let k = i * 3 % 5;
                let float = [0, 2, 6][k % 3];
                number(i + BYTES[k] as usize) + 3 * number(i + float) - 7 * number(i + 1)
                    + 11 * number(i + [2, 0][k % 2])
            });
            by_many(&u, &mut v, [9, 4, 2], 6).unwrap();
            same(name, &values(&v), |i| {
                number(i + 1) + 3 * number(i + 3) + 5 * number(i + 5)
            });
            let error = by_many(&u, &mut v, [0, 9, 0], 36).unwrap_err();
            let count = n.min(9);
            assert!(
                matches!(error, Error::OutOfBounds { count: found, .. } if found == count),
                "{name}: {error}"
            );
        }
    });
}

const SIGNS: [i32; 4] = [1, -1, 0, 2];

/// What is evaluated to find an item stays, also where a comparison of it is decided.
#[kernel]
fn looked_up(f: &Field<i32, 2>, g: &mut Field<i32, 2>, counts: &mut Field<i32>) {
    for [i, j] in f.indices() {
        let mut c = 0;
        if SIGNS[{
            c += 1;
            c % 4
        }] + (j as i32)
            >= 0
        {
            c += 10;
        }
        if SIGNS[(counts[0].atomic_add(1) & 3) as usize] + (j as i32) < -1 {
            c += 100;
        }
        if [j as i32, {
            c += 1000;
            7
        }][0]
            == 0
        {
            c += 20_000;
        }
        g[[i, j]] = c as i32;
    }
}

#[kernel]
fn looked_up_beyond(f: &Field<i32, 2>, g: &mut Field<i32, 2>) {
    for [i, j] in f.indices() {
        let q = f[[i, j]] as usize;
        if SIGNS[q] + (j as i32) >= -1 {
            g[[i, j]] = 5;
        }
    }
}

#[test]
fn lookups_in_conditions_stay() {
    versions(|name| {
        for [h, w] in [[1, 1], [2, 30], [3, 101]] {
            let device = &Device::cpu();
            let mut f = Field::full(device, [h, w], 3).unwrap();
            let (mut g, mut counts) = (Field::full(device, [h, w], 0).unwrap(), field(1, |_| 0));
            looked_up(&f, &mut g, &mut counts).unwrap();
            assert_eq!(values(&counts), [(h * w) as i32], "{name}");
            same(name, &values(&g), |k| match k % w {
                0 => 21_001,
                _ => 1011,
            });
            looked_up_beyond(&f, &mut g).unwrap();
            f.set([h - 1, w - 1], 9).unwrap();
            assert!(looked_up_beyond(&f, &mut g).is_err(), "{name}");
        }
    });
}

mod without_prelude {
    #![no_implicit_prelude]

    use ::swathe::prelude::*;

    #[allow(dead_code)]
    trait Methods: ::core::marker::Sized {
        fn flat_map(self) {}
        fn filter_map(self) {}
        fn get(self) {}
        fn items(self) {}
    }

    impl<T> Methods for T {}

    #[kernel]
    pub fn around(u: &Field<i64>, v: &mut Field<i64>) {
        let n = u.len();
        for i in v.indices() {
            let mut sum = 0;
            for [d, by] in super::DISTANCES {
                let at = i as i32 + d;
                if at >= 0 && at < n as i32 {
                    sum += by as i64 * u[at as usize];
                }
            }
            v[i] = sum;
        }
    }
}

const DISTANCES: [[i32; 2]; 3] = [[-2, 3], [0, 5], [1, 7]];

#[test]
fn tables_in_modules_without_prelude() {
    assert_eq!(split(without_prelude::around::plan()), [2, 1]);
    versions(|name| {
        for n in [1, 3, 64, 300] {
            let (u, mut v) = (field(n, |i| i as i64 + 1), field(n, |_| 0));
            without_prelude::around(&u, &mut v).unwrap();
            let at = |k: usize| if (2..n + 2).contains(&k) { k as i64 - 1 } else { 0 };
            same(name, &values(&v), |i| 3 * at(i) + 5 * at(i + 2) + 7 * at(i + 3));
        }
    });
}

/// By positions of another axis, which are the same along a row, and by a parameter; some are not there.
#[kernel]
fn by_heads(u: &Field<i64, 2>, v: &mut Field<i64, 3>, k: usize) {
    let [h, w] = u.shape();
    for [q, i, j] in v.indices() {
        let a = i + FROM[q][0];
        let b = j + FROM[q][1];
        let y = if a == 0 {
            h - 1
        } else if a == h + 1 {
            0
        } else {
            a - 1
        };
        let x = if b == 0 {
            w - 1
        } else if b == w + 1 {
            0
        } else {
            b - 1
        };
        let near = if j + FROM[q][1] > 3 { 5 } else { 1 };
        let far = if j + BYTES[k] as usize >= 7 && j < w {
            u[[y, j + BYTES[k] as usize - 7]]
        } else {
            0
        };
        v[[q, i, j]] = u[[y, x]] + near * far;
    }
}

const FROM: [[usize; 2]; 5] = [[1, 1], [0, 1], [2, 2], [1, 0], [0, 2]];

#[test]
fn tables_by_positions_of_other_axes() {
    versions(|name| {
        for [h, w] in [[1, 1], [3, 17], [5, 100], [2, 1000]] {
            let u = Field::from_fn(&Device::cpu(), [h, w], |[i, j]| (i * 1000 + 3 * j) as i64 + 7).unwrap();
            for k in [0, 1, 2] {
                let mut v = Field::full(&Device::cpu(), [5, h, w], -1).unwrap();
                by_heads(&u, &mut v, k).unwrap();
                let at = |i: usize, j: usize| (i * 1000 + 3 * j) as i64 + 7;
                let expected = |q: usize, i: usize, j: usize| {
                    let (y, x) = ((i + FROM[q][0] + h - 1) % h, (j + FROM[q][1] + w - 1) % w);
                    let moved = j + BYTES[k] as usize;
                    let near = if j + FROM[q][1] > 3 { 5 } else { 1 };
                    at(y, x) + near * if moved >= 7 { at(y, moved - 7) } else { 0 }
                };
                let all = (0..5 * h * w)
                    .map(|e| expected(e / (h * w), e / w % h, e % w))
                    .collect::<Vec<_>>();
                assert_eq!(v.to_vec().unwrap(), all, "{name}, {h} x {w}, {k}");
            }
        }
        // There are but five directions.
        let u = Field::full(&Device::cpu(), [3, 50], 1_i64).unwrap();
        let mut v = Field::full(&Device::cpu(), [6, 3, 50], -1).unwrap();
        assert!(by_heads(&u, &mut v, 1).is_err(), "{name}");
        let mut v = Field::full(&Device::cpu(), [5, 3, 50], -1).unwrap();
        assert!(by_heads(&u, &mut v, 5).is_err(), "{name}");
    });
    assert_eq!(split(by_heads::plan()), [5, 2]);
}
