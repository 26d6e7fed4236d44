//! Tables whose entries are indices, looked at in front of a loop: with entries out of bounds, used and not, and of any type.

mod arrays;

use swathe::prelude::*;
use swathe_tests_lanes::{field, values, versions};

/// Of each row of three entries the first ones, as many as `used` says, over and over.
#[kernel]
fn gather(table: &Field<i16, 2>, used: &Field<u8>, x: &Field<u32>, sums: &mut Field<u32>, times: usize) {
    for p in sums.indices() {
        let mut sum = 1;
        for _ in 0..times {
            for k in 0..used[p] as usize {
                let q = table[[p, k]] as usize;
                sum += x[q];
            }
        }
        sums[p] = sum;
    }
}

/// Adds one wherever an entry points to: entries as variables, and as numbers of other types.
#[kernel]
fn points(table: &Field<f32, 2>, far: &Field<u64>, hits: &mut Field<u32>, times: usize) {
    for p in far.indices() {
        for _ in 0..times {
            let [_, width] = table.shape();
            for k in 0..width {
                let entry = table[[p, k]];
                hits[entry as usize].atomic_add(1);
                hits[far[p] as usize].atomic_add(10);
            }
        }
    }
}

fn rows<T: Element>(n: usize, width: usize, entry: impl Fn(usize, usize) -> T) -> Field<T, 2> {
    let entries: Vec<T> = (0..n * width).map(|k| entry(k / width, k % width)).collect();
    let mut table = Field::zeros(&Device::cpu(), [n, width]).unwrap();
    table.copy_from_slice(&entries).unwrap();
    table
}

#[track_caller]
fn failed(result: swathe::Result<()>, expected: usize, what: &str) {
    match result {
        Ok(()) => assert_eq!(expected, 0, "{what}"),
        Err(Error::OutOfBounds { count, .. }) => assert_eq!(count, expected, "{what}"),
        Err(error) => panic!("{what}: {error}"),
    }
}

#[test]
fn entries_that_are_not_used_may_be_anything() {
    // Tables of three entries for an iteration, and of too many to be looked at.
    for (n, width) in [(1, 3), (3, 3), (17, 3), (1000, 3), (17, 9)] {
        for (odd, uses) in [(5_i16, 3), (6, 3), (-1, 3), (i16::MAX, 3), (-1, 1), (6, 0)] {
            let entry = |p: usize, k: usize| match (p, k) == (n / 2, 1) {
                true => odd,
                false => ((2 * p + k) % 6) as i16,
            };
            let table = rows(n, width, entry);
            let used = field(n, |p| if p == n / 2 { uses } else { (p % 4) as u8 });
            let x = field(6, |k| 10 + (k * k) as u32);
            let sum = |p: usize| {
                let count = if p == n / 2 { uses } else { (p % 4) as u8 };
                let places = (0..2).flat_map(|_| 0..count as usize).map(|k| entry(p, k) as usize);
                places
                    .map(|place| (place < 6).then(|| 10 + (place * place) as u32))
                    .sum::<Option<u32>>()
            };
            versions(|name| {
                let mut sums = field(n, |p| 7 * p as u32);
                let result = gather(&table, &used, &x, &mut sums, 2);
                let what = format!("{n} rows of {width}, {odd}, {uses}, {name}");
                let expected: Vec<u32> = (0..n).map(|p| sum(p).map_or(7 * p as u32, |sum| 1 + sum)).collect();
                assert_eq!(values(&sums), expected, "{what}");
                failed(result, (0..n).filter(|p| sum(*p).is_none()).count(), &what);
            });
        }
    }
}

#[test]
fn entries_of_any_type() {
    let cases = [
        (0.0, 4),
        (5.9, 4),
        (6.0, 4),
        (-3.0, 4),
        (f32::INFINITY, 4),
        (2.0, 6),
        (2.0, u64::MAX),
    ];
    for (odd, longest) in cases {
        for n in [1, 3, 17] {
            let entry = |p: usize, k: usize| match (p, k) == (n / 2, 1) {
                true => odd,
                false => ((2 * p + k) % 6) as f32 + 0.5,
            };
            let far = |p: usize| if p == n - 1 { longest } else { p as u64 % 6 };
            let (mut expected, mut failures) = (vec![0; 6], 0);
            'iterations: for p in 0..n {
                for k in (0..2).flat_map(|_| 0..3) {
                    for (place, count) in [(entry(p, k) as usize, 1), (far(p) as usize, 10)] {
                        let Some(hit) = expected.get_mut(place) else {
                            failures += 1;
                            continue 'iterations;
                        };
                        *hit += count;
                    }
                }
            }
            let (table, far) = (rows(n, 3, entry), field(n, far));
            versions(|name| {
                let mut hits = field(6, |_| 0);
                let result = points(&table, &far, &mut hits, 2);
                let what = format!("{odd} {longest} {n}, {name}");
                assert_eq!(values(&hits), expected, "{what}");
                failed(result, failures, &what);
            });
        }
    }
}
