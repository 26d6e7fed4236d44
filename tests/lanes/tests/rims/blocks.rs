//! What is left of a row behind blocks in lanes, and conditions that are the same for a row.

use std::ops::Add;

use swathe::{Technique, prelude::*};
use swathe_tests_lanes::{field, values, versions};

/// Lengths around all numbers of lanes.
const LENGTHS: [usize; 20] = [
    0, 1, 3, 7, 8, 9, 15, 16, 17, 20, 25, 31, 32, 33, 40, 63, 64, 65, 100, 130,
];

fn has(plan: &swathe::Plan, technique: Technique) -> bool {
    plan.loops()[0].techniques.contains(&technique)
}

/// Sums, counts and least values beside stores.
#[kernel]
fn rounds(x: &Field<i64, 2>, out: &mut Field<i64, 2>, n: i64) -> (i64, u32, i64) {
    let (mut sum, mut count, mut least) = (0, 0u32, i64::MAX);
    for [i, j] in out.indices() {
        let mut value = x[[i, j]];
        for k in 0..n {
            value = value * 3 + k - i as i64;
        }
        out[[i, j]] = value;
        sum += value;
        count += 1;
        least = least.min(value);
    }
    (sum, count, least)
}

#[test]
fn iterations_that_run_again_count_once() {
    assert!(has(&rounds::plan(), Technique::Overlapped), "{}", rounds::plan());
    versions(|name| {
        for width in LENGTHS {
            let shape = [5, width];
            let x = Field::from_fn(&Device::cpu(), shape, |[i, j]| (i * 37 + j * 11) as i64 - 50).unwrap();
            let mut out = Field::zeros(&Device::cpu(), shape).unwrap();
            let found = rounds(&x, &mut out, 3).unwrap();
            let of = |k: usize, x: i64| (0..3).fold(x, |value, round| value * 3 + round - (k / width) as i64);
            let expected: Vec<i64> = x
                .to_vec()
                .unwrap()
                .into_iter()
                .enumerate()
                .map(|(k, x)| of(k, x))
                .collect();
            assert_eq!(out.to_vec().unwrap(), expected, "{name}, {width}");
            let all = (
                expected.iter().sum(),
                expected.len() as u32,
                expected.iter().copied().min().unwrap_or(i64::MAX),
            );
            assert_eq!(found, all, "{name}, {width}");
        }
    });
}

/// What an iteration changes by what was there it must change once.
#[kernel]
fn changed(x: &mut Field<i64>, n: i64) {
    for i in x.indices() {
        for k in 0..n {
            x[i] = x[i] * 3 + k;
        }
    }
}

/// The same by another element.
#[kernel]
fn shifted(x: &mut Field<[i64; 2]>, n: i64) {
    for i in x.indices() {
        let mut sum = x[i][1];
        for k in 0..n {
            sum += k;
        }
        x[i][0] += sum;
    }
}

#[test]
fn iterations_that_read_what_they_write_run_once() {
    for plan in [changed::plan(), shifted::plan()] {
        assert!(!has(&plan, Technique::Overlapped), "{plan}");
    }
    versions(|name| {
        for n in LENGTHS {
            let mut x = field(n, |i| i as i64);
            changed(&mut x, 4).unwrap();
            let expected: Vec<i64> = (0..n as i64).map(|x| (0..4).fold(x, |x, k| x * 3 + k)).collect();
            assert_eq!(values(&x), expected, "{name}, {n}");
            let mut x = field(n, |i| [i as i64, 7 * i as i64]);
            shifted(&mut x, 4).unwrap();
            let expected: Vec<[i64; 2]> = (0..n as i64).map(|x| [x + 7 * x + 6, 7 * x]).collect();
            assert_eq!(values(&x), expected, "{name}, {n}");
        }
    });
}

#[derive(Clone, Copy, Element)]
struct Loud {
    value: i32,
}

#[func]
impl Add for Loud {
    type Output = Loud;
    fn add(self, other: Loud) -> Loud {
        if self.value % 10 == 9 {
            println!("{} and {}", self.value, other.value);
        }
        Loud {
            value: self.value + other.value,
        }
    }
}

#[kernel]
fn loud(x: &Field<Loud>, out: &mut Field<Loud>, n: usize) {
    for i in x.indices() {
        let mut sum = x[i];
        for _ in 0..n {
            sum = sum + x[i];
        }
        out[i] = sum;
    }
}

#[test]
fn what_was_printed_is_not_printed_again() {
    assert!(has(&loud::plan(), Technique::Overlapped), "{}", loud::plan());
    versions(|name| {
        for n in LENGTHS {
            let x = field(n, |i| Loud { value: i as i32 });
            let mut out = field(n, |_| Loud { value: 0 });
            let mut texts: Vec<String> = swathe::__rt::captured(|| loud(&x, &mut out, 2).unwrap())
                .into_iter()
                .map(|(_, text)| text)
                .collect();
            let mut expected = Vec::new();
            for i in 0..n as i32 {
                for sum in [i, 2 * i].into_iter().filter(|sum| sum % 10 == 9) {
                    expected.push(format!("{sum} and {i}\n"));
                }
            }
            texts.sort();
            expected.sort();
            assert_eq!(texts, expected, "{name}, {n}");
            let sums: Vec<i32> = values(&out).iter().map(|loud| loud.value).collect();
            assert_eq!(sums, (0..n as i32).map(|i| 3 * i).collect::<Vec<_>>(), "{name}, {n}");
        }
    });
}

/// A number whose operators print.
#[derive(Clone, Copy, Element)]
struct Spoken {
    value: i32,
}

#[func]
impl Add for Spoken {
    type Output = i32;
    fn add(self, other: Spoken) -> i32 {
        println!("{} + {}", self.value, other.value);
        self.value + other.value
    }
}

#[func]
impl std::ops::Neg for Spoken {
    type Output = i32;
    fn neg(self) -> i32 {
        println!("-{}", self.value);
        -self.value
    }
}

const THREE: Spoken = Spoken { value: 3 };

#[kernel]
fn spoken(x: &Field<i32>, out: &mut Field<i32>, a: Spoken) {
    for i in x.indices() {
        let less = -THREE;
        let mut sum = 0;
        if a + a > 4 {
            for k in 0..a + THREE {
                sum += x[i] * k + less;
            }
        }
        // Of some lanes alone.
        if x[i] % 3 == 1 {
            for k in less..-a {
                sum += x[i] * k;
            }
        }
        out[i] = sum;
    }
}

#[kernel]
fn spoken_sum(x: &Field<i32>, a: Spoken) -> i32 {
    let mut sum = 0;
    for i in x.indices() {
        let by = a + THREE;
        sum += x[i] * by;
    }
    sum
}

#[test]
fn what_all_lanes_of_a_sum_compute_prints_for_each() {
    versions(|name| {
        for n in LENGTHS {
            let (x, mut sum) = (field(n, |i| i as i32), 0);
            let texts = swathe::__rt::captured(|| sum = spoken_sum(&x, Spoken { value: 2 }).unwrap());
            assert_eq!(texts.len(), n, "{name}, {n}");
            assert_eq!(sum, (0..n as i32).map(|i| 5 * i).sum(), "{name}, {n}");
        }
    });
}

#[test]
fn what_all_lanes_compute_prints_for_each() {
    versions(|name| {
        for n in LENGTHS {
            for a in [2, 5] {
                let x = field(n, |i| i as i32);
                let mut out = field(n, |_| -1);
                let mut texts: Vec<String> =
                    swathe::__rt::captured(|| spoken(&x, &mut out, Spoken { value: a }).unwrap())
                        .into_iter()
                        .map(|(_, text)| text)
                        .collect();
                let (mut expected, mut sums) = (Vec::new(), Vec::new());
                for i in 0..n as i32 {
                    expected.extend(["-3\n".to_owned(), format!("{a} + {a}\n")]);
                    let mut sum = 0;
                    if a + a > 4 {
                        expected.push(format!("{a} + 3\n"));
                        sum += (0..a + 3).map(|k| i * k - 3).sum::<i32>();
                    }
                    if i % 3 == 1 {
                        expected.push(format!("-{a}\n"));
                        sum += (-3..-a).map(|k| i * k).sum::<i32>();
                    }
                    sums.push(sum);
                }
                texts.sort();
                expected.sort();
                assert_eq!(values(&out), sums, "{name}, {n}, {a}");
                assert_eq!(texts, expected, "{name}, {n}, {a}");
            }
        }
    });
}

#[kernel]
fn quotients(x: &Field<i32>, by: &Field<i32>, out: &mut Field<i32>, n: i32) {
    for i in x.indices() {
        let mut sum = 0;
        for k in 1..n {
            sum += (x[i] + k) / by[i];
        }
        out[i] = sum;
    }
}

#[test]
fn what_fails_in_the_last_block_ends_its_iteration_alone() {
    assert!(has(&quotients::plan(), Technique::Overlapped), "{}", quotients::plan());
    versions(|name| {
        for n in LENGTHS.into_iter().filter(|n| *n > 0) {
            for at in [0, n / 2, n - 1] {
                let x = field(n, |i| i as i32);
                let by = field(n, |i| if i == at { 0 } else { i as i32 % 5 + 1 });
                let mut out = field(n, |_| -1);
                let error = quotients(&x, &by, &mut out, 4).unwrap_err().to_string();
                assert!(
                    error.contains("divide by zero") && !error.contains("more"),
                    "{name}: {error}"
                );
                let of = |i: i32| (1..4).map(|k| (i + k) / (i % 5 + 1)).sum();
                let expected: Vec<i32> = (0..n).map(|i| if i == at { -1 } else { of(i as i32) }).collect();
                assert_eq!(values(&out), expected, "{name}, {n}, {at}");
            }
        }
    });
}

/// A sum beside a store that neighbours are read for, in rows.
#[kernel]
fn differences(x: &Field<f64, 2>, out: &mut Field<f64, 2>) -> f64 {
    let w = x.shape()[1];
    let mut sum = 0.0;
    for [i, j] in out.indices() {
        if j > 0 && j + 1 < w {
            let value = x[[i, j + 1]] - x[[i, j - 1]];
            out[[i, j]] = value;
            sum += value * value;
        }
    }
    sum
}

/// The same in place.
#[kernel]
fn halved(x: &mut Field<f64, 2>) -> f64 {
    let mut sum = 0.0;
    for [i, j] in x.indices() {
        x[[i, j]] *= 0.5;
        if i > 0 {
            sum += x[[i, j]];
        }
    }
    sum
}

#[test]
fn short_rows_are_added_up() {
    for plan in [differences::plan(), halved::plan()] {
        assert!(has(&plan, Technique::Shortened), "{plan}");
    }
    versions(|name| {
        for width in LENGTHS {
            let shape = [4, width];
            let x = Field::from_fn(&Device::cpu(), shape, |[i, j]| (i * 31 + j * j) as f64).unwrap();
            let before = x.to_vec().unwrap();
            let mut out = Field::zeros(&Device::cpu(), shape).unwrap();
            let found = differences(&x, &mut out).unwrap();
            let expected: Vec<f64> = (0..4 * width)
                .map(|k| match k % width {
                    0 => 0.0,
                    j if j + 1 == width => 0.0,
                    _ => before[k + 1] - before[k - 1],
                })
                .collect();
            assert_eq!(out.to_vec().unwrap(), expected, "{name}, {width}");
            assert_eq!(
                found,
                expected.iter().map(|value| value * value).sum::<f64>(),
                "{name}, {width}"
            );

            let mut x = x;
            let found = halved(&mut x).unwrap();
            let expected: Vec<f64> = before.iter().map(|value| value * 0.5).collect();
            assert_eq!(x.to_vec().unwrap(), expected, "{name}, {width}");
            assert_eq!(found, expected.iter().skip(width).sum::<f64>(), "{name}, {width}");
        }
    });
}

/// Conditions that are the same for a row, around loops, with jumps and values, beside loops that lanes leave by themselves.
#[kernel]
fn forks(x: &Field<i32, 2>, out: &mut Field<i32, 2>, n: usize, flag: bool) {
    for [i, j] in out.indices() {
        let mut value = x[[i, j]];
        while value > 40 {
            value -= 7;
        }
        let factor = if i % 3 == 0 {
            let mut factor = 1;
            for k in 0..n {
                factor += k as i32;
            }
            factor
        } else {
            2
        };
        if i + 1 < n && flag {
            for k in 0..n {
                if value > 35 {
                    break;
                }
                value += k as i32;
            }
            if value % 2 == 0 {
                continue;
            }
        } else if i > 4 {
            for _ in 0..n {
                value += 1;
            }
        }
        let mut rounds = 0;
        while rounds < value % 4 {
            rounds += 1;
        }
        out[[i, j]] = value * factor + rounds;
    }
}

fn forked([i, x, old]: [i32; 3], n: i32, flag: bool) -> i32 {
    let mut value = x;
    while value > 40 {
        value -= 7;
    }
    let factor = if i % 3 == 0 { 1 + (0..n).sum::<i32>() } else { 2 };
    if i + 1 < n && flag {
        for k in 0..n {
            if value > 35 {
                break;
            }
            value += k;
        }
        if value % 2 == 0 {
            return old;
        }
    } else if i > 4 {
        value += n;
    }
    value * factor + (value % 4).max(0)
}

#[test]
fn all_lanes_go_the_same_way() {
    versions(|name| {
        for width in LENGTHS {
            for flag in [false, true] {
                let shape = [7, width];
                let number = |[i, j]: [usize; 2]| (i * 13 + j * 29) as i32 % 60;
                let x = Field::from_fn(&Device::cpu(), shape, number).unwrap();
                let start = |[i, j]: [usize; 2]| -((i * 100 + j) as i32);
                let mut out = Field::from_fn(&Device::cpu(), shape, start).unwrap();
                forks(&x, &mut out, 5, flag).unwrap();
                let of = |k: usize| {
                    let at = [k / width, k % width];
                    forked([at[0] as i32, number(at), start(at)], 5, flag)
                };
                let expected: Vec<i32> = (0..7 * width).map(of).collect();
                assert_eq!(out.to_vec().unwrap(), expected, "{name}, {width}, {flag}");
            }
        }
    });
}
