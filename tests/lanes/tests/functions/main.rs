//! Functions with loops, called by iterations in lanes, and loops under `if`, against the same in plain Rust.

// Kernels say things in the ways that they have.
#![allow(clippy::manual_is_multiple_of, clippy::needless_range_loop)]

mod outside;
mod restart;

use swathe::__rt::captured;
use swathe::prelude::*;
use swathe_tests_lanes::{SIZES, field, number, same, values, versions};

/// Everything that leaves a function or a loop in it, in loops of several parts.
#[func]
fn walk(start: i32, last: i32) -> i64 {
    if start == 5 {
        return -1;
    }
    let mut total = 0;
    'outer: for a in 0..20 {
        if a == start {
            continue;
        }
        let step = a + start;
        let mut b = 0;
        loop {
            b += 1;
            if b > step {
                break;
            }
            if b % 3 == 1 {
                continue;
            }
            if b == 11 {
                continue 'outer;
            }
            if a > last {
                break 'outer;
            }
            if total > 900 {
                return total + a as i64;
            }
            total += (a * b) as i64;
        }
        total += 10;
    }
    total
}

/// Calls it twice, the second time in a branch, and of what it has no effect on the first.
#[func]
fn twice(start: i32, last: i32) -> i64 {
    let first = walk(start, last);
    if first % 2 == 0 {
        first + walk(start + 1, last)
    } else {
        7
    }
}

#[kernel]
fn walks(start: &Field<i32>, last: &Field<i32>, one: &mut Field<i64>, two: &mut Field<i64>) {
    for i in one.indices() {
        if start[i] == 3 {
            continue;
        }
        one[i] = walk(start[i], last[i]);
        let value = if last[i] > 8 {
            twice(start[i], 9) - walk(last[i], 4)
        } else {
            11
        };
        two[i] += value;
    }
}

#[test]
fn functions_with_loops() {
    let start = |i: usize| (i * 5 % 13) as i32 - 2;
    let last = |i: usize| (i * 3 % 17) as i32;
    for n in SIZES {
        let expected: Vec<(i64, i64)> = (0..n)
            .map(|i| {
                if start(i) == 3 {
                    return (-7, i as i64);
                }
                // Called from here, functions run as rustc compiled them.
                let value = if last(i) > 8 {
                    twice(start(i), 9) - walk(last(i), 4)
                } else {
                    11
                };
                (walk(start(i), last(i)), i as i64 + value)
            })
            .collect();
        versions(|version| {
            let (start, last) = (field(n, start), field(n, last));
            let (mut one, mut two) = (field(n, |_| -7), field(n, |i| i as i64));
            walks(&start, &last, &mut one, &mut two).unwrap();
            let got: Vec<_> = values(&one).into_iter().zip(values(&two)).collect();
            assert_eq!(got, expected, "{n} walks, {version}");
        });
    }
}

/// Of any type, and with a parameter that it changes.
#[func]
fn root<T: Float, const N: usize>(x: T, mut guess: T, powers: [T; N]) -> (T, [T; N]) {
    let mut powers = powers;
    for _ in 0..40 {
        let next = (guess + x / guess) * T::from_f64(0.5);
        if (next - guess).abs() <= next * T::from_f64(1e-6) {
            break;
        }
        guess = next;
        for k in 0..N {
            powers[k] *= guess;
        }
    }
    (guess, powers)
}

// Strict: the reference is not contracted.
#[kernel(strict)]
fn roots(x: &Field<f64>, y: &Field<f32>, out: &mut Field<f64>, all: &mut Field<Vec3>) {
    for i in out.indices() {
        let (r, powers) = root(x[i] + 1.0, 1.0, [1.0, x[i]]);
        let (s, others) = root::<f32, 3>(y[i] + 2.0, 1.5, [y[i]; 3]);
        out[i] = r + powers[0] * powers[1] + s as f64;
        all[i] = Vec3::new(others[0], s, others[2]);
    }
}

#[test]
fn functions_of_any_type() {
    for n in SIZES {
        let of = |i: usize| {
            let (x, y) = (f64::from(number(i)) * 9.0, number(i + 3));
            let (r, powers) = root(x + 1.0, 1.0, [1.0, x]);
            let (s, others) = root(y + 2.0, 1.5, [y; 3]);
            (
                r + powers[0] * powers[1] + f64::from(s),
                Vec3::new(others[0], s, others[2]),
            )
        };
        let expected: Vec<(f64, Vec3)> = (0..n).map(of).collect();
        versions(|version| {
            let x = field(n, |i| f64::from(number(i)) * 9.0);
            let y = field(n, |i| number(i + 3));
            let (mut out, mut all) = (field(n, |_| -1.0), field(n, |_| Vec3::ZERO));
            roots(&x, &y, &mut out, &mut all).unwrap();
            let got: Vec<_> = values(&out).into_iter().zip(values(&all)).collect();
            assert_eq!(got, expected, "{n} roots, {version}");
        });
    }
}

/// What stands before a call, and changes what follows, keeps its place.
#[func]
fn next(state: &mut u32) -> u32 {
    *state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    *state >> 9
}

#[func]
fn steps(start: u32) -> u32 {
    let mut x = start % 1000 + 1;
    let mut n = 0;
    while x > 1 && n < 500 {
        x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
        n += 1;
    }
    n
}

#[func]
fn ordered(seed: u32) -> u32 {
    let mut state = seed;
    let first = state + steps(next(&mut state)) * 3;
    let second = steps(state) + steps(next(&mut state) + steps(state));
    let third = {
        state ^= 5;
        state
    } + steps(state);
    let any = steps(state) > 30 && steps(first) > 20;
    first ^ second ^ third ^ any as u32
}

#[kernel]
fn order(seed: &Field<u32>, out: &mut Field<u32>, total: &mut Field<u32>) {
    for i in out.indices() {
        let x = steps(steps(seed[i]) + 2);
        let x = x + 1;
        out[i] = ordered(seed[i]) ^ steps(x);
        let mut sum = 0;
        let mut k = 0;
        while steps(k + seed[i]) < 100 && k < 9 {
            sum += match k % 3 {
                0 => steps(k),
                1 => k,
                _ => steps(sum),
            };
            k += 1;
        }
        total[i] = sum;
    }
}

#[test]
fn calls_keep_their_order() {
    let seed = |i: usize| i as u32 * 2_654_435;
    for n in SIZES {
        let of = |i: usize| {
            let x = steps(steps(seed(i)) + 2) + 1;
            let (mut sum, mut k) = (0, 0);
            while steps(k + seed(i)) < 100 && k < 9 {
                sum += match k % 3 {
                    0 => steps(k),
                    1 => k,
                    _ => steps(sum),
                };
                k += 1;
            }
            (ordered(seed(i)) ^ steps(x), sum)
        };
        let expected: Vec<(u32, u32)> = (0..n).map(of).collect();
        versions(|version| {
            let seed = field(n, seed);
            let (mut out, mut total) = (field(n, |_| 9), field(n, |_| 9));
            order(&seed, &mut out, &mut total).unwrap();
            let got: Vec<_> = values(&out).into_iter().zip(values(&total)).collect();
            assert_eq!(got, expected, "{n} seeds, {version}");
        });
    }
}

/// Fails for one number alone, in its loop or before it.
#[func]
fn picky(x: i32, bad: i32) -> i32 {
    assert!(x != 77, "{x} cannot be");
    let mut sum = 0;
    for k in 0..x % 50 + 20 {
        assert!(sum - bad != 45, "the sum was {sum} in round {k}");
        sum += k;
    }
    sum
}

/// Without a check in its loop.
#[func]
fn careful(x: i32) -> i32 {
    assert!(x != 77, "{x} cannot be");
    let mut sum = 100 / (x - 3);
    for k in 0..100 {
        if k > x {
            break;
        }
        sum += k;
    }
    sum
}

#[kernel]
fn checked(x: &Field<i32>, bad: i32, out: &mut Field<i32>) {
    for i in out.indices() {
        out[i] = careful(x[i]) + picky(x[i], bad);
    }
}

#[test]
fn failures_of_functions() {
    for n in [1, 17, 100] {
        versions(|version| {
            for at in [0, n / 2, n - 1] {
                let mut out = field(n, |_| -1);
                let value = |i: usize, odd: i32| if i == at { odd } else { 100 + i as i32 };
                let run = |odd: i32, bad: i32, out: &mut Field<i32>| checked(&field(n, |i| value(i, odd)), bad, out);
                let error = run(77, 900, &mut out).unwrap_err().to_string();
                assert!(error.contains("77 cannot be"), "{error}, {version}");
                let error = run(3, 900, &mut out).unwrap_err().to_string();
                assert!(
                    error.contains("division by zero") || error.contains("divide by zero"),
                    "{error}, {version}"
                );
                run(50, 900, &mut out).unwrap();
                let sum = |x: i32, end: i32| (0..end).sum::<i32>() + 100 / (x - 3);
                for (i, got) in values(&out).into_iter().enumerate() {
                    let x = value(i, 50);
                    let expected = sum(x, x.min(99) + 1) + (0..x % 50 + 20).sum::<i32>();
                    assert_eq!(got, expected, "{i} of {n}, {version}");
                }
                let error = run(50, 0, &mut out).unwrap_err().to_string();
                assert!(error.contains("the sum was 45 in round 10"), "{error}, {version}");
            }
        });
    }
}

#[func]
fn told(x: i32) -> i32 {
    println!("told {x}");
    x - 3
}

#[kernel]
fn prints(x: &Field<i32>, bad: i32, out: &mut Field<i32>) {
    for i in out.indices() {
        let seen = told(x[i]);
        out[i] = picky(x[i], bad) - told(seen);
    }
}

/// A block of which an iteration fails runs again, and what it had printed is not written.
#[test]
fn functions_print_once() {
    let plan = prints::plan().to_string();
    assert!(plan.contains("in lanes"), "{plan}");
    for n in SIZES {
        versions(|version| {
            for (at, bad) in [(n / 2, 900), (n - n.min(1), 900), (n, 900), (n, 0)] {
                let value = |i: usize| if i == at { 77 } else { 100 + i as i32 };
                let mut out = field(n, |_| -1);
                let texts = captured(|| _ = prints(&field(n, value), bad, &mut out));
                let mut texts: Vec<String> = texts.into_iter().map(|(_, text)| text).collect();
                let mut expected = Vec::new();
                for i in 0..n {
                    expected.push(format!("told {}\n", value(i)));
                    if i != at && bad != 0 {
                        expected.push(format!("told {}\n", value(i) - 3));
                    }
                }
                texts.sort();
                expected.sort();
                assert_eq!(texts, expected, "{n}, {at}, {bad}, {version}");
            }
        });
    }
}

/// Loops under conditions that differ between lanes, and values of branches.
#[kernel]
fn branches(x: &Field<i32>, rounds: i32, out: &mut Field<i64>, other: &mut Field<f32>) {
    for i in out.indices() {
        let mut total = 1i64;
        let mut part = x[i] as f32;
        if x[i] % 3 == 0 {
            for k in 0..rounds {
                total += (k * x[i]) as i64;
            }
        } else if x[i] % 3 == 1 {
            let mut left = x[i];
            while left > 0 {
                if left == 13 {
                    break;
                }
                left -= 2;
                total -= left as i64;
            }
            if left == 13 && x[i] > 20 {
                continue;
            }
        } else {
            total = 5;
        }
        let step = if x[i] > 10 {
            let mut sum = 0.0;
            for k in 0..rounds {
                let part = k as f32 * 0.5;
                sum += part;
                if sum > part * 4.0 && k > x[i] {
                    break;
                }
            }
            sum
        } else {
            part += 1.0;
            -part
        };
        out[i] = total;
        other[i] = part + step;
    }
}

fn branches_of(x: i32, rounds: i32, old: (i64, f32)) -> (i64, f32) {
    let (mut total, mut part) = (1_i64, x as f32);
    match x % 3 {
        0 => total += (0..rounds).map(|k| i64::from(k * x)).sum::<i64>(),
        1 => {
            let mut left = x;
            while left > 0 && left != 13 {
                left -= 2;
                total -= i64::from(left);
            }
            if left == 13 && x > 20 {
                return old;
            }
        }
        _ => total = 5,
    }
    let mut step = 0.0;
    if x > 10 {
        for k in 0..rounds {
            let part = k as f32 * 0.5;
            step += part;
            if step > part * 4.0 && k > x {
                break;
            }
        }
    } else {
        part += 1.0;
        step = -part;
    }
    (total, part + step)
}

#[test]
fn loops_under_conditions() {
    for (n, rounds) in SIZES.into_iter().flat_map(|n| [(n, 0), (n, 1), (n, 37)]) {
        let expected: Vec<_> = (0..n)
            .map(|i| branches_of((i * 7 % 40) as i32, rounds, (-3, i as f32)))
            .collect();
        versions(|version| {
            let x = field(n, |i| (i * 7 % 40) as i32);
            let (mut out, mut other) = (field(n, |_| -3), field(n, |i| i as f32));
            branches(&x, rounds, &mut out, &mut other).unwrap();
            let got: Vec<_> = values(&out).into_iter().zip(values(&other)).collect();
            assert_eq!(got, expected, "{n} elements, {rounds} rounds, {version}");
        });
    }
}

/// A sum of what functions with loops return.
#[kernel]
fn sum_of_steps(x: &Field<u32>) -> (u32, u32) {
    let (mut total, mut most) = (0, 0);
    for i in x.indices() {
        let n = steps(x[i]);
        if n % 2 == 1 {
            continue;
        }
        total += n;
        most = most.max(n + steps(n));
    }
    (total, most)
}

#[test]
fn sums_of_functions() {
    for n in SIZES {
        let even = |i: &usize| steps(*i as u32 * 31).is_multiple_of(2);
        let of = |i: usize| steps(i as u32 * 31);
        let total = (0..n).filter(even).map(of).sum::<u32>();
        let most = (0..n).filter(even).map(|i| of(i) + steps(of(i))).max().unwrap_or(0);
        versions(|version| {
            let x = field(n, |i| i as u32 * 31);
            assert_eq!(sum_of_steps(&x).unwrap(), (total, most), "{n} numbers, {version}");
        });
    }
}

/// In the copy that is typed a negation is a block, at which a statement would end.
#[func]
fn second_of_negated(x: f32) -> f32 {
    (-Vec3::new(x, x + 1.0, x + 2.0))[1]
}

#[kernel]
fn seconds(x: &Field<f32>, out: &mut Field<f32>) {
    for i in out.indices() {
        out[i] = second_of_negated(x[i]);
    }
}

#[test]
fn results_that_begin_with_a_negation() {
    let x: Vec<f32> = (0..17).map(|i| i as f32 * 0.5).collect();
    let device = Device::cpu();
    let mut out = Field::zeros(&device, x.len()).unwrap();
    seconds(&Field::from_slice(&device, &x).unwrap(), &mut out).unwrap();
    let expected: Vec<f32> = x.iter().map(|x| -(x + 1.0)).collect();
    assert_eq!(out.to_vec().unwrap(), expected);
}

mod elsewhere {
    use swathe::prelude::*;

    #[func]
    pub fn climbs(x: f32) -> f32 {
        let mut n = x;
        while n < 3.0 {
            n += 1.0;
        }
        n
    }
}

/// Its callee is known by a name of its own body.
#[func]
fn by_own_name(x: f32) -> f32 {
    use elsewhere::climbs as goes;
    const MORE: f32 = 1.0;
    goes(x) + MORE
}

#[kernel]
fn names(x: &Field<f32>, out: &mut Field<f32>) {
    use elsewhere::climbs as went;
    for i in out.indices() {
        out[i] = by_own_name(x[i]) + went(x[i] + 1.0);
    }
}

#[test]
fn names_of_a_body() {
    for n in SIZES {
        versions(|version| {
            let (x, mut out) = (field(n, number), field(n, |_| 0.0));
            names(&x, &mut out).unwrap();
            let want = |i| elsewhere::climbs(number(i)) + 1.0 + elsewhere::climbs(number(i) + 1.0);
            same(version, &values(&out), want);
        });
    }
}

/// Larger than what lanes may take of a stack: of such values there is one at a time, as in a plain function.
const LARGE: usize = 60_000;

#[derive(Element, Clone, Copy, Debug)]
struct Large {
    values: [f32; LARGE],
    scale: f32,
}

#[func]
fn filled(value: f32) -> [f32; LARGE] {
    [value; LARGE]
}

#[func]
fn large_sum(seed: f32, n: usize) -> f32 {
    let mut values = filled(seed);
    let mut sum = 0.0;
    for k in 0..n {
        values[7 * k % LARGE] += k as f32;
        sum += values[k % LARGE];
    }
    sum
}

#[kernel]
fn large(x: &Field<f32>, n: usize, out: &mut Field<f32>) -> f32 {
    let mut all = 0.0;
    for i in out.indices() {
        let mut values = filled(x[i]);
        let mut sum = 0.0;
        for k in 0..n {
            values[3 * k % LARGE] += k as f32;
            sum += values[k % LARGE];
        }
        out[i] = sum + large_sum(x[i], n);
        all += sum;
    }
    all
}

#[kernel]
fn scaled(x: &Field<Large>, out: &mut Field<f32>) {
    for i in out.indices() {
        let z = x[i].scale * 2.0;
        out[i] = z * x[i].scale + z + z * z * x[i].values[3];
    }
}

#[test]
fn large_values_do_not_fill_stacks() {
    let device = Device::cpu();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let one = |seed: f32, step: usize, n: usize| {
        let mut values = vec![seed; LARGE];
        let mut sum = 0.0;
        for k in 0..n {
            values[step * k % LARGE] += k as f32;
            sum += values[k % LARGE];
        }
        sum
    };
    let x: Vec<f32> = (0..67).map(|i| i as f32).collect();
    let mut out = Field::zeros(&device, 67).unwrap();
    let field = Field::from_slice(&device, &x).unwrap();
    let all = pool.install(|| large(&field, 50, &mut out)).unwrap();
    let expected: Vec<f32> = x.iter().map(|x| one(*x, 3, 50) + one(*x, 7, 50)).collect();
    assert_eq!(out.to_vec().unwrap(), expected);
    assert_eq!(all, x.iter().map(|x| one(*x, 3, 50)).sum());

    let elements: Vec<Large> = x
        .iter()
        .map(|x| Large {
            values: [*x; LARGE],
            scale: x + 0.5,
        })
        .collect();
    let elements = Field::from_slice(&device, &elements).unwrap();
    pool.install(|| scaled(&elements, &mut out)).unwrap();
    let expected = x.iter().map(|x| {
        let (scale, z) = (x + 0.5, 2.0 * (x + 0.5));
        z * scale + z + z * z * x
    });
    assert_eq!(out.to_vec().unwrap(), expected.collect::<Vec<f32>>());
}

#[func]
fn halved(x: f32) -> f32 {
    let mut s = x;
    while s > 1.0 {
        s = s * 0.5 - 0.25;
    }
    s
}

/// Initialisers with a loop and a call of a function with loops, in front of other such calls.
#[kernel]
fn counted(x: &Field<f32>, counts: &mut Field<i32>, out: &mut Field<f32>, n: usize) {
    for i in out.indices() {
        let x = x[i];
        let mut count = 0;
        let y = {
            for k in 0..n {
                count += 1 + k as i32;
            }
            halved(x + count as f32)
        };
        let z = if x > 0.5 {
            for _ in 0..n {
                count += 100;
                counts[i] += 1;
            }
            halved(y * 3.0)
        } else {
            halved(x * 7.0)
        };
        out[i] = y + halved(z * 2.0);
        counts[i] += count;
    }
}

#[test]
fn initialisers_run_once() {
    versions(|name| {
        for (n, rounds) in SIZES.into_iter().zip([0, 1, 7].into_iter().cycle()) {
            let x = field(n, number);
            let (mut counts, mut out) = (field(n, |i| 3 * i as i32), field(n, |_| 0.0));
            counted(&x, &mut counts, &mut out, rounds).unwrap();
            let count = |k: usize| (0..k as i32).fold(0, |sum, k| sum + 1 + k);
            same(name, &values(&counts), |i| {
                let more = if number(i) > 0.5 { 101 * rounds as i32 } else { 0 };
                3 * i as i32 + count(rounds) + more
            });
            same(name, &values(&out), |i| {
                let y = halved(number(i) + count(rounds) as f32);
                let z = if number(i) > 0.5 { y * 3.0 } else { number(i) * 7.0 };
                y + halved(halved(z) * 2.0)
            });
        }
    });
}

#[func]
fn rounds(x: i32) -> i32 {
    let (mut s, mut c) = (x & 63, 0);
    while s > 1 {
        s = if s % 2 == 0 { s / 2 } else { 3 * s + 1 };
        c += 1;
    }
    c
}

#[func]
fn odd(x: i32) -> i32 {
    x * 2 + 1
}

/// Of two functions in such an initialiser and behind it one has loops.
#[kernel]
fn counted_or_odd(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let x = x[i];
        let r = if x > 3 {
            let mut z = x & 15;
            while z > 0 {
                z -= 3;
            }
            z
        } else {
            odd(x)
        };
        out[i] = rounds(r) * 100 + r;
    }
}

#[test]
fn initialisers_with_loops_and_calls() {
    versions(|name| {
        for n in SIZES {
            let x = field(n, |i| (i as i32 * 7) % 19 - 4);
            let mut out = field(n, |_| 0);
            counted_or_odd(&x, &mut out).unwrap();
            same(name, &values(&out), |i| {
                let x = (i as i32 * 7) % 19 - 4;
                let r = if x > 3 {
                    (x & 15) - ((x & 15) + 2) / 3 * 3
                } else {
                    odd(x)
                };
                rounds(r) * 100 + r
            });
        }
    });
}

/// Three calls of the function before it each: too long in the end to become part of a loop.
macro_rules! of_three {
    ($($of:ident $name:ident)*) => {$(
        #[func]
        const fn $name<T: swathe::KernelType>(x: u32, kept: T) -> (u32, T) {
            let (a, kept) = $of(x.wrapping_add(1), kept);
            let (b, kept) = $of(a ^ x, kept);
            let (c, kept) = $of(b.wrapping_mul(3), kept);
            (c.wrapping_sub(a), kept)
        }
    )*};
}

#[func]
const fn one<T: swathe::KernelType>(x: u32, kept: T) -> (u32, T) {
    (x.wrapping_mul(0x9e37_79b9) ^ (x >> 5), kept)
}

of_three! { one three three nine nine more more many many most }

/// # Safety
/// None is needed.
#[func]
unsafe fn changes(x: &mut u32) -> bool {
    let before = *x;
    *x = most(before, 1.0_f32).0;
    *x > before
}

#[kernel]
fn towers(x: &Field<u32>, out: &mut Field<u32>) {
    for i in out.indices() {
        let mut v = x[i];
        // SAFETY: it needs nothing.
        let grows = unsafe { changes(&mut v) };
        out[i] = v ^ grows as u32 ^ three(x[i], 5_i64).0;
    }
}

#[test]
fn long_functions_stand_once() {
    type Any = swathe::__rt::Any;
    const {
        assert!(<nine<Any>>::a_function_of_kernels_must_not_call_itself <= 1000);
        assert!(<many<Any>>::a_function_of_kernels_must_not_call_itself > 1000);
        // What calls it has no part of it.
        assert!(<most<Any>>::a_function_of_kernels_must_not_call_itself <= 100);
    }
    fn tower(x: u32, height: u32) -> u32 {
        let Some(below) = height.checked_sub(1) else {
            return x.wrapping_mul(0x9e37_79b9) ^ (x >> 5);
        };
        let a = tower(x.wrapping_add(1), below);
        let b = tower(a ^ x, below);
        tower(b.wrapping_mul(3), below).wrapping_sub(a)
    }
    for n in SIZES {
        let x = |i: usize| number(i) as u32;
        versions(|version| {
            let mut out = field(n, |_| 7_u32);
            towers(&field(n, x), &mut out).expect("in bounds");
            same(version, &values(&out), |i| {
                let v = tower(x(i), 5);
                v ^ u32::from(v > x(i)) ^ tower(x(i), 1)
            });
        });
    }
}

/// What is added ends iterations by itself.
#[kernel]
fn adds_some(x: &Field<i32>, sums: &mut Field<i32>) {
    for i in x.indices() {
        let mut k = 0;
        while k < 3 {
            k += 1;
        }
        sums[0].atomic_add({
            if x[i] < 0 {
                continue;
            }
            x[i] * k
        });
        sums[1].atomic_add(1);
    }
}

#[test]
fn values_that_leave() {
    for n in SIZES {
        let x = |i: usize| number(i) as i32 % 50 - 20;
        versions(|version| {
            let mut sums = field(2, |_| 0);
            adds_some(&field(n, x), &mut sums).expect("in bounds");
            let kept: Vec<i32> = (0..n).map(x).filter(|x| *x >= 0).collect();
            assert_eq!(
                values(&sums),
                [3 * kept.iter().sum::<i32>(), kept.len() as i32],
                "{version}"
            );
        });
    }
}
