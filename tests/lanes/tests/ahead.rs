//! Sequential loops whose indices are compared in front of them, against the same in plain Rust: at all edges, where one iteration
//! fails beside others that do not.

use swathe::prelude::*;
use swathe_tests_lanes::{field, values, versions};

/// Shapes of grids, also such that no window fits into.
const SHAPES: [[usize; 2]; 6] = [[0, 0], [1, 3], [3, 1], [3, 3], [5, 4], [17, 9]];

/// Corners around all edges of a grid.
fn corners([h, w]: [usize; 2]) -> Vec<[usize; 2]> {
    let along = |n: usize| {
        let mut all = vec![0, 1, 2, usize::MAX, usize::MAX - 2];
        all.extend((0..5).map(|k| (n + 1).saturating_sub(k)));
        all
    };
    let rows = along(h);
    rows.into_iter()
        .flat_map(|i| along(w).into_iter().map(move |j| [i, j]))
        .collect()
}

/// What is seen of a failure.
type Seen = Option<(Vec<usize>, usize)>;

fn seen(result: swathe::Result<()>) -> Seen {
    match result {
        Ok(()) => None,
        Err(swathe::Error::OutOfBounds { index, count, .. }) => Some((index.to_vec(), count)),
        Err(other) => panic!("{other}"),
    }
}

/// The failure with the least index, and how many there are.
fn least(failures: &[Vec<usize>]) -> Seen {
    failures.iter().min().map(|index| (index.clone(), failures.len()))
}

#[kernel]
fn scatter(rows: &Field<u64>, columns: &Field<u64>, grid: &mut Field<u32, 2>, sums: &mut Field<u64, 2>) {
    for p in rows.indices() {
        let base = [rows[p] as usize, columns[p] as usize];
        for a in 0..3 {
            for b in 0..3 {
                grid[[base[0] + a, base[1] + b]].atomic_add((1 + 3 * a + b) as u32);
                sums[[base[0] + a, base[1] + b]].atomic_add(1);
            }
        }
    }
}

#[test]
fn a_window_is_scattered_up_to_what_fails() {
    for shape in SHAPES {
        for (k, corner) in corners(shape).into_iter().enumerate() {
            // One that fits stands beside it, if there is any.
            let all = if k % 2 == 0 {
                vec![corner, [0, 0]]
            } else {
                vec![[0, 0], corner, corner]
            };
            let part = |k: usize| field(all.len(), |p| all[p][k] as u64);
            let (rows, columns) = (part(0), part(1));
            let [h, w] = shape;
            let (mut expected, mut failures) = (vec![0; h * w], Vec::new());
            for [i, j] in &all {
                for k in 0..9 {
                    let (i, j) = (i.wrapping_add(k / 3), j.wrapping_add(k % 3));
                    if i >= h || j >= w {
                        failures.push(vec![i, j]);
                        break;
                    }
                    expected[i * w + j] += 1 + k as u32;
                }
            }
            versions(|name| {
                let mut grid: Field<u32, 2> = Field::zeros(&Device::cpu(), shape).unwrap();
                let mut sums: Field<u64, 2> = Field::zeros(&Device::cpu(), shape).unwrap();
                let result = seen(scatter(&rows, &columns, &mut grid, &mut sums));
                assert_eq!(grid.to_vec().unwrap(), expected, "{shape:?} {all:?} {name}");
                assert_eq!(result, least(&failures), "{shape:?} {all:?} {name}");
                let touched: u64 = sums.to_vec().unwrap().iter().sum();
                let started: usize = all.len() * 9;
                assert!(touched as usize <= started && (result.is_some() || touched as usize == started));
            });
        }
    }
}

#[kernel]
fn around(rows: &Field<u64>, columns: &Field<u64>, grid: &Field<u32, 2>, out: &mut Field<u64>) {
    for p in out.indices() {
        let (i, j) = (rows[p] as usize, columns[p] as usize);
        let mut sum = 7;
        for [a, b] in swathe::ndrange([3, 2]) {
            let node = [i + a - 1, j + 2 * b - 1];
            let near = [i.wrapping_add(a).wrapping_sub(1), j];
            sum += grid[node] as u64 * (a as u64 + 1);
            if sum == 0 {
                sum = grid[near] as u64;
            }
        }
        let mut rest = 0;
        for a in 0..3 {
            let row = i + a;
            for b in (0..=2u8).rev() {
                rest += grid[[row - 1, j + b as usize - 1]] as u64;
            }
        }
        out[p] = 1000 * sum + rest;
    }
}

#[test]
fn a_window_around_a_position_is_gathered_unless_it_fails() {
    for shape in SHAPES {
        let [h, w] = shape;
        let grid = Field::from_fn(&Device::cpu(), shape, |[i, j]| (10 * i + j + 1) as u32).unwrap();
        let at = |i: usize, j: usize| (i < h && j < w).then_some((10 * i + j + 1) as u64).ok_or([i, j]);
        let value = |[i, j]: [usize; 2]| -> Result<u64, [usize; 2]> {
            let mut sum = 7;
            for k in 0..6 {
                let (a, b) = (k / 2, k % 2);
                sum += at(i.wrapping_add(a).wrapping_sub(1), j.wrapping_add(2 * b).wrapping_sub(1))? * (a as u64 + 1);
            }
            let mut rest = 0;
            for k in 0..9 {
                rest += at(
                    i.wrapping_add(k / 3).wrapping_sub(1),
                    j.wrapping_add(2 - k % 3).wrapping_sub(1),
                )?;
            }
            Ok(1000 * sum + rest)
        };
        for corner in corners(shape) {
            let all = [[1, 1], corner, [2, 2], corner];
            let part = |k: usize| field(all.len(), |p| all[p][k] as u64);
            let (rows, columns) = (part(0), part(1));
            let expected = all.map(value);
            versions(|name| {
                let mut out = field(all.len(), |_| 5_u64);
                let result = seen(around(&rows, &columns, &grid, &mut out));
                let kept = expected.map(|value| value.unwrap_or(5));
                assert_eq!(values(&out), kept, "{shape:?} {corner:?} {name}");
                let count = expected.iter().filter(|value| value.is_err()).count();
                assert_eq!(
                    result.map(|(_, count)| count).unwrap_or(0),
                    count,
                    "{shape:?} {corner:?} {name}"
                );
            });
        }
    }
}

#[kernel]
fn moving(starts: &Field<u64>, x: &Field<u64>, out: &mut Field<u64>) {
    for p in out.indices() {
        let mut at = starts[p] as usize;
        let fixed = at;
        let mut sum = 0;
        for k in 0..4 {
            let fixed = at - fixed;
            sum += x[at + k] + 100 * x[fixed + k];
            at += 1;
        }
        out[p] = sum;
    }
}

/// A variable that a loop changes, and one that hides another of its name.
#[test]
fn what_a_loop_changes_is_compared_in_place() {
    for n in [0, 1, 3, 7, 8, 17] {
        let x = field(n, |k| k as u64 + 1);
        let starts = field(12, |p| p as u64);
        let value = |p: usize| {
            (0..4).try_fold(0, |sum, k| {
                (p + 2 * k < n).then(|| sum + (p + 2 * k + 1) as u64 + 100 * (2 * k + 1) as u64)
            })
        };
        let failures: Vec<usize> = (0..12).filter(|p| value(*p).is_none()).collect();
        versions(|name| {
            let mut out = field(12, |_| 3_u64);
            let result = seen(moving(&starts, &x, &mut out));
            let expected: Vec<u64> = (0..12).map(|p| value(p).unwrap_or(3)).collect();
            assert_eq!(values(&out), expected, "{n} {name}");
            assert_eq!(
                result.map(|(_, count)| count).unwrap_or(0),
                failures.len(),
                "{n} {name}"
            );
        });
    }
}

/// A number whose sum with an index is anything.
#[derive(Clone, Copy, PartialEq, Debug, Element)]
struct Jump {
    to: u64,
}

#[func]
impl std::ops::Add<usize> for Jump {
    type Output = usize;
    fn add(self, other: usize) -> usize {
        self.to as usize + 5 * other
    }
}

#[kernel]
fn jumping(starts: &Field<u64>, x: &Field<u64>, out: &mut Field<u64>) {
    for p in out.indices() {
        let from = Jump { to: starts[p] };
        let mut sum = 0;
        for k in 0..3 {
            sum += x[from + k];
        }
        out[p] = sum;
    }
}

#[test]
fn operators_of_others_are_not_sums() {
    let x = field(12, |k| k as u64);
    let starts = field(5, |p| p as u64);
    versions(|name| {
        let mut out = field(5, |_| 1_u64);
        let result = seen(jumping(&starts, &x, &mut out));
        assert_eq!(values(&out), [15, 18, 1, 1, 1], "{name}");
        assert_eq!(result, Some((vec![12], 3)), "{name}");
    });
}

#[kernel]
fn periodic(old: &Field<u64, 2>, other: &Field<u64, 2>, out: &mut Field<u64, 2>) {
    let [h, w] = old.shape();
    for [i, j] in out.indices() {
        let mut sum = 0;
        for k in 0..3 {
            sum += old[[(i + h + 1 - k) % h, (j + 2 * w - k) % w]];
        }
        out[[i, j]] = 100 * sum + other[[(i + 2) % h, j % w]];
    }
}

/// A remainder is below what it is a remainder of; another field may be smaller than that.
#[test]
fn remainders_are_below_their_extents() {
    use swathe::Coverage;
    let found: Vec<Coverage> = periodic::checks().accesses().map(|access| access.coverage).collect();
    assert_eq!(found, [Coverage::Domain, Coverage::BeforeLoop, Coverage::Domain]);
    let make = |[h, w]: [usize; 2], by: u64| {
        Field::from_fn(&Device::cpu(), [h, w], |[i, j]| by * (31 * i + j + 1) as u64).unwrap()
    };
    for [h, w] in [[1, 3], [3, 1], [4, 7], [17, 16]] {
        let old = make([h, w], 1);
        for shape in [[h, w], [h + 1, w], [h - 1, w], [h, w - 1]] {
            let (other, n) = (make(shape, 1000), [5, 33]);
            let value = |i: usize, j: usize| {
                let at = [(i + 2) % h, j % w];
                let inside = at[0] < shape[0] && at[1] < shape[1];
                let near = (0..3).map(|k| 31 * ((i + h + 1 - k) % h) + (j + 2 * w - k) % w + 1);
                let sum = 100 * near.sum::<usize>() + 1000 * (31 * at[0] + at[1] + 1);
                inside.then_some(sum as u64).ok_or(at.to_vec())
            };
            let all: Vec<_> = (0..n[0] * n[1]).map(|k| value(k / n[1], k % n[1])).collect();
            let failures: Vec<Vec<usize>> = all.iter().filter_map(|value| value.clone().err()).collect();
            versions(|name| {
                let mut out = make(n, 0);
                let result = seen(periodic(&old, &other, &mut out));
                let expected: Vec<u64> = all.iter().map(|value| value.clone().unwrap_or(0)).collect();
                assert_eq!(values(&out), expected, "{h} {w} {shape:?} {name}");
                assert_eq!(result, least(&failures), "{h} {w} {shape:?} {name}");
            });
        }
    }
}

/// A number whose remainder is anything.
#[derive(Clone, Copy, PartialEq, Debug, Element)]
struct Late {
    to: u64,
}

#[func]
impl std::ops::Rem<usize> for Late {
    type Output = usize;
    #[allow(clippy::suspicious_arithmetic_impl)]
    fn rem(self, other: usize) -> usize {
        self.to as usize + other
    }
}

#[kernel]
fn rest(x: &Field<u64>, out: &mut Field<u64>) {
    let n = x.len();
    for i in out.indices() {
        let late = Late { to: i as u64 };
        out[i] = x[late % n];
    }
}

#[test]
fn remainders_of_others_are_not_below() {
    let mut out = field(3, |_| 7_u64);
    let result = seen(rest(&field(5, |k| k as u64), &mut out));
    assert_eq!((values(&out), result), (vec![7; 3], Some((vec![5], 3))));
}

/// Ranges that data tell, of signed numbers, with stores in the loop.
#[kernel]
fn runs(
    first: &Field<i32>,
    last: &Field<i32>,
    base: &Field<u64>,
    x: &Field<i64>,
    grid: &Field<i32, 2>,
    at: &Field<u16>,
    out: &mut Field<i64>,
) {
    for i in out.indices() {
        let base = base[i] as usize;
        for k in first[i]..last[i] {
            out[i] += x[k as usize];
            if k == 6 {
                continue;
            }
            out[i] += grid[[i, base + k as usize]] as i64;
            out[i] += 100 * x[at[k as usize] as usize];
        }
    }
}

/// First and last number, and what is added to them.
const RUNS: [(i32, i32, u64); 14] = [
    (0, 0, 0),
    (5, 2, 0),
    (-3, -5, 0),
    (0, 12, 0),
    (0, 20, 0),
    (-2, 3, 0),
    (-5, -3, 7),
    (3, 8, 2),
    (3, 8, 9),
    (9, 11, 1),
    (2, 5, u64::MAX - 1),
    (1, 5, u64::MAX - 1),
    (i32::MIN, i32::MAX, 0),
    (11, 21, 0),
];

#[test]
fn ranges_from_data_are_compared_once() {
    let (m, w) = (20, 12);
    let x = |k: usize| 3 * k as i64 + 1;
    let grid = |i: usize, j: usize| (50 * i + j) as i32;
    for bad in [None, Some(0), Some(7), Some(11)] {
        let at = |k: usize| if bad == Some(k) { 300 } else { (7 * k) % m };
        for n in [0, 1, 3, 14, 17, 1000] {
            let run = |i: usize| RUNS[(5 * i + n) % RUNS.len()];
            let mut failures: Vec<(usize, Vec<usize>)> = Vec::new();
            let expected: Vec<i64> = (0..n)
                .map(|i| {
                    let ((first, last, base), mut sum) = (run(i), i as i64);
                    for k in first..last {
                        let index = k as usize;
                        if index >= m {
                            failures.push((0, vec![index]));
                            break;
                        }
                        sum += x(index);
                        if k == 6 {
                            continue;
                        }
                        let column = (base as usize).wrapping_add(index);
                        if column >= w {
                            failures.push((1, vec![i, column]));
                            break;
                        }
                        sum += i64::from(grid(i, column));
                        if index >= 15 {
                            failures.push((2, vec![index]));
                            break;
                        }
                        if at(index) >= m {
                            failures.push((3, vec![at(index)]));
                            break;
                        }
                        sum += 100 * x(at(index));
                    }
                    sum
                })
                .collect();
            let (first, last) = (field(n, |i| run(i).0), field(n, |i| run(i).1));
            let (base, fx, fat) = (field(n, |i| run(i).2), field(m, x), field(15, |k| at(k) as u16));
            let fgrid = Field::from_fn(&Device::cpu(), [n, w], |[i, j]| grid(i, j)).unwrap();
            // The one with the least place in the text, then with the least index.
            let told = failures.iter().min().map(|(_, index)| (index.clone(), failures.len()));
            versions(|name| {
                let mut out = field(n, |i| i as i64);
                let result = seen(runs(&first, &last, &base, &fx, &fgrid, &fat, &mut out));
                assert_eq!(values(&out), expected, "{bad:?} {n} {name}");
                assert_eq!(result, told, "{bad:?} {n} {name}");
            });
        }
    }
}
