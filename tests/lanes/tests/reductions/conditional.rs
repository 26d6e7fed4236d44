//! Sums behind conditions: the same bits whether what is compared in front of the loop holds or not.

use swathe::prelude::*;
use swathe::{Error, Result, Technique};
use swathe_tests_lanes::{field, number, values, versions};

/// Below a number that may be more than the field has.
#[kernel]
fn below(k: &Field<u32>, x: &Field<f32>, n: usize) -> (f32, f32, f32) {
    let (mut sum, mut product, mut least) = (0.0, 1.0, f32::MAX);
    for i in k.indices() {
        let at = k[i] as usize;
        if at < n {
            sum += x[at] * x[at] - 0.3;
            product *= 0.7 + x[at] * 0.6;
            least = least.min(x[at] * x[at] + 0.1);
        }
    }
    (sum, product, least)
}

/// Fields that the last iterations do not come to, beside one that all come to.
#[kernel]
fn flagged(flags: &Field<u8>, x: &Field<f32>, y: &Field<f32>) -> f32 {
    let mut sum = 0.0;
    for i in flags.indices() {
        if flags[i] > 0 && x[i] > 0.1 {
            sum += x[i] * y[i];
        }
    }
    sum
}

/// The same beside a store, of which the old value has a part in the sum.
#[kernel]
fn stored(flags: &Field<u8>, x: &Field<f32>, y: &mut Field<f32>) -> f32 {
    let mut sum = 0.0;
    for i in x.indices() {
        if flags[i] > 0 {
            y[i] += x[i] * 0.7;
            sum += y[i] * x[i];
        }
    }
    sum
}

/// In sequential loops, up to an extent of another field, and with a hint that does not hold.
#[kernel]
fn rounds(starts: &Field<u32>, x: &Field<f32>, y: &Field<f32>) -> (f32, f32) {
    let n = y.len();
    let (mut sum, mut near) = (0.0, 0.0);
    for i in starts.indices() {
        let start = starts[i] as usize;
        if start > 0 {
            for j in start..n {
                sum += x[j] * y[j];
            }
        }
        for j in start..(start + 3).min(n) {
            near += x[j] * 0.3;
        }
    }
    (sum, near)
}

/// Beside atomic sums along the row.
#[kernel]
fn beside_atomics(flags: &Field<u8>, x: &Field<f32>, counts: &mut Field<u32>) -> f32 {
    let mut sum = 0.0;
    for i in flags.indices() {
        counts[i].atomic_add(flags[i] as u32);
        if flags[i] > 0 {
            sum += x[i] * x[i];
        }
    }
    sum
}

/// In the inside of rows.
#[kernel]
fn inside(flags: &Field<u8, 2>, u: &Field<f32, 2>) -> f32 {
    let [h, w] = flags.shape();
    let mut sum = 0.0;
    for [i, j] in flags.indices() {
        let left = if j == 0 { w - 1 } else { j - 1 };
        if flags[[i, j]] > 0 {
            let down = if i + 1 == h { 0 } else { i + 1 };
            sum += u[[i, j]] * u[[i, left]] - u[[down, j]];
        }
    }
    sum
}

/// The index of an index, which is looked at in advance where that may be done.
#[kernel]
fn twice(flags: &Field<u8>, k: &Field<u32>, x: &Field<f32>) -> f32 {
    let mut sum = 0.0;
    for i in flags.indices() {
        if flags[i] > 0 {
            sum += x[k[i] as usize] * 0.1;
        }
    }
    sum
}

/// With a table that is looked up in front of the loop, where rows have an inside, too.
#[kernel]
fn tabled(u: &Field<f32, 2>, cells: &Field<u32>, x: &Field<f32>, y: &Field<f32, 2>) -> f32 {
    let n = cells.len();
    let mut sum = 0.0;
    for [i, j] in u.indices() {
        for c in 0..n {
            for d in 0..n {
                if j == 0 {
                    sum += x[cells[c] as usize];
                } else {
                    sum += d as f32 * 0.1;
                }
            }
        }
        if u[[i, j]] > 0.5 {
            sum += y[[i, j]];
        }
    }
    sum
}

/// With sums that are added to copies in turns.
#[kernel]
fn in_turns(u: &Field<f32, 2>, cells: &Field<u32>, y: &Field<f32, 2>, counts: &mut Field<u32>) -> f32 {
    let n = cells.len();
    let mut sum = 0.0;
    for [i, j] in u.indices() {
        counts[(u[[i, j]] * 3.0) as usize].atomic_add(1);
        for c in 0..n {
            if j == 0 {
                sum += y[[i, cells[c] as usize]];
            } else {
                sum += 0.1;
            }
        }
        if u[[i, j]] > 0.5 {
            sum += y[[i, j]];
        }
    }
    sum
}

/// The last position is not the one in front of the end.
#[kernel]
fn stepping(n: usize, x: &Field<f32>) -> f32 {
    let mut sum = 0.0;
    for i in (0..n).step_by(7) {
        sum += x[i] * x[i] + 0.3;
    }
    sum
}

#[func]
fn halvings(n: u32) -> f32 {
    let (mut left, mut count) = (n, 0.0);
    while left != 1 {
        left /= 2;
        count += 1.0;
    }
    count
}

/// Calls that come to no end for iterations that fail before them.
#[kernel]
fn endless(flags: &Field<u8>, x: &Field<f32>, n: &Field<u32>, rounds: u32) -> f32 {
    let mut sum = 0.0;
    for i in flags.indices() {
        for k in 0..rounds {
            let value = x[i] * halvings(n[i] + k);
            sum += value;
            let [first, second] = [x[i], halvings(n[i] + k)];
            sum += first + second;
        }
    }
    sum
}

fn compared(plan: &swathe::Plan) -> bool {
    let mut techniques = plan.loops()[0].techniques.iter();
    techniques.any(|technique| matches!(technique, Technique::Versioned { .. }))
}

#[test]
fn sums_behind_conditions_have_the_same_bits_whatever_is_compared() {
    let plans = [
        below::plan(),
        flagged::plan(),
        stored::plan(),
        rounds::plan(),
        beside_atomics::plan(),
        inside::plan(),
        twice::plan(),
        tabled::plan(),
        in_turns::plan(),
        stepping::plan(),
    ];
    for plan in plans {
        assert!(compared(&plan), "{plan}");
    }
    for n in [1_usize, 3, 17, 64, 100, 1000, 70_003] {
        // So many of the last are left out.
        let less = n.div_ceil(3);
        let flags = field(n, |i| (i < n - less && i % 5 != 3) as u8);
        let (long, short) = (field(n, number), field(n - less, number));
        let other = |n: usize| field(n, |i| number(i + 7) - 0.4);
        versions(|version| {
            let same = |name: &str, [met, unmet]: [Vec<u32>; 2]| assert_eq!(met, unmet, "{name}, {n}, {version}");
            let bits = |(a, b, c): (f32, f32, f32)| vec![a.to_bits(), b.to_bits(), c.to_bits()];
            let k = field(n, |i| {
                (i * 7919 % (n - less).max(1) + (n - less == 0) as usize * n) as u32
            });
            let limits = [n - less, n];
            same("below", limits.map(|limit| bits(below(&k, &short, limit).unwrap())));
            let alone = |sum: f32| vec![sum.to_bits()];
            let pairs = [(&long, other(n)), (&short, other(n)), (&long, other(n - less))];
            let [met, first, second] = pairs.map(|(x, y)| alone(flagged(&flags, x, &y).unwrap()));
            same("flagged, the first", [met.clone(), first]);
            same("flagged, the second", [met, second]);
            let sums = [n, n - less].map(|m| {
                let mut y = other(m);
                let sum = stored(&flags, &long, &mut y).unwrap();
                let new = values(&y).into_iter().take(n - less).map(f32::to_bits);
                alone(sum).into_iter().chain(new).collect()
            });
            same("stored", sums);
            let sums = [&long, &short].map(|x| {
                let mut counts = field(n, |i| i as u32);
                let sum = beside_atomics(&flags, x, &mut counts).unwrap();
                alone(sum).into_iter().chain(values(&counts)).collect()
            });
            same("beside atomics", sums);
            let k = field(n, |i| (i * 31 % n) as u32);
            let shorter = field(n - less, |i| (i * 31 % n) as u32);
            same("twice", [&k, &shorter].map(|k| alone(twice(&flags, k, &long).unwrap())));
            if n <= 1000 {
                let starts = field(n, |i| (n - less + i % less) as u32);
                let (of_all, more) = (field(n, number), field(n + 5, number));
                let starting = |x: &Field<f32>, y: &Field<f32>| {
                    let (sum, near) = rounds(&starts, x, y).unwrap();
                    vec![sum.to_bits(), near.to_bits()]
                };
                same("rounds", [starting(&of_all, &other(n)), starting(&more, &other(n))]);
                let none = field(n, |_| 0_u32);
                let near = |x: &Field<f32>| alone(rounds(&none, x, &other(n)).unwrap().1);
                let first = field(n.min(3), number);
                same("a hint", [near(&of_all), near(&first)]);
            }
            let m = n / 7 * 7 + 1;
            let sums = [n, m].map(|m| stepping(n, &field(m, number)).unwrap());
            same("stepping", sums.map(alone));
            for [h, w] in [[2, 1], [3, 17], [5, 130]] {
                let flag = |[i, j]: [usize; 2]| (i + 2 < h && (i * 3 + j) % 3 > 0) as u8;
                let flags = Field::from_fn(&Device::cpu(), [h, w], flag).unwrap();
                let u = |h| Field::from_fn(&Device::cpu(), [h, w], |[i, j]| number(i * 200 + j)).unwrap();
                same("inside", [h, h - 1].map(|h| alone(inside(&flags, &u(h)).unwrap())));
            }
        });
    }
}

#[test]
fn what_is_looked_at_in_advance_decides_for_both() {
    let [h, w] = [40, 700];
    let device = &Device::cpu();
    let last = |[i, j]: [usize; 2]| if j + 1 < w { number(i * 700 + j) } else { 0.0 };
    let u = Field::from_fn(device, [h, w], last).unwrap();
    let y = |w| Field::from_fn(device, [h, w], |[i, j]| number(i * 900 + j)).unwrap();
    let (cells, x) = (field(20, |c| c as u32 * 7 % 20), field(20, number));
    versions(|version| {
        let [met, unmet] = [w, w - 1].map(|w| tabled(&u, &cells, &x, &y(w)).unwrap());
        assert_eq!(met.to_bits(), unmet.to_bits(), "a table, {version}");
        let mut counts = field(3, |_| 0_u32);
        let [met, unmet] = [w, w - 1].map(|w| in_turns(&u, &cells, &y(w), &mut counts).unwrap());
        assert_eq!(met.to_bits(), unmet.to_bits(), "in turns, {version}");
        assert_eq!(values(&counts).iter().sum::<u32>() as usize, 2 * h * w);
    });
}

/// What stands in front of a call fails first: the call, which there comes to no end, is not made.
#[test]
fn what_fails_keeps_calls_from_being_made() {
    let n = 1000;
    let (flags, x) = (field(n, |_| 1_u8), field(701, number));
    let counts = field(n, |i| if i < 701 { i as u32 + 1 } else { 0 });
    versions(|version| match endless(&flags, &x, &counts, 20) {
        Err(Error::OutOfBounds { index, .. }) => assert_eq!(*index, [701], "{version}"),
        other => panic!("{version}: {other:?}"),
    });
}

/// What fails there is told with its position.
#[test]
fn failures_behind_conditions_are_told() {
    let n = 1000;
    let flags = field(n, |i| (i % 2) as u8);
    let (x, k) = (field(n, number), field(n, |i| i as u32));
    let outside = |result: Result<()>, position: usize, name: &str| match result {
        Err(Error::OutOfBounds { index, .. }) => assert_eq!(*index, [position], "{name}"),
        other => panic!("{name}: {other:?}"),
    };
    versions(|version| {
        let short = field(701, number);
        outside(below(&k, &short, 800).map(drop), 701, version);
        outside(flagged(&flags, &short, &x).map(drop), 701, version);
        outside(flagged(&flags, &x, &short).map(drop), 701, version);
        outside(
            beside_atomics(&flags, &short, &mut field(n, |_| 0_u32)).map(drop),
            701,
            version,
        );
        let mut y = field(701, number);
        outside(stored(&flags, &x, &mut y).map(drop), 701, version);
    });
}

/// A field that is smaller than the loop, changed in rounds and where a flag allows it.
#[kernel(strict)]
fn changed(x: &Field<f32>, rounds: &Field<u8>, y: &mut Field<Vec2>, z: &mut Field<f32>) -> (f32, bool) {
    let (mut sum, mut all) = (0.0, true);
    for i in x.indices() {
        let mut k = 0;
        while k < rounds[i] {
            k += 1;
            y[i] *= 2.0;
            if x[i] > 90.0 {
                break;
            }
        }
        z[i] += 1.0;
        if rounds[i] > 0 {
            y[i].x += x[i];
        }
        sum += x[i];
        all = all && x[i] >= 0.0;
    }
    (sum, all)
}

#[test]
fn failures_end_their_iteration_alone() {
    versions(|name| {
        for n in [1, 3, 17, 100, 1000, 5003] {
            for m in [n, n - 1, n / 2, n - n / 3, 0] {
                let (value, round) = (|i: usize| (i * 7 % 101) as f32, |i: usize| (i % 5 % 4) as u8);
                let (x, rounds) = (field(n, value), field(n, round));
                let start = |i: usize| Vec2::new(i as f32 + 0.5, 1.0 - i as f32);
                let (mut y, mut z) = (field(m, start), field(n, |i| i as f32));
                let got = changed(&x, &rounds, &mut y, &mut z);
                let fails = (m..n).filter(|i| round(*i) > 0).count();
                match got {
                    Ok(_) => assert_eq!(fails, 0, "{name}: {m} of {n}"),
                    Err(Error::OutOfBounds { count, index, .. }) => {
                        let first = (m..n).find(|i| round(*i) > 0).unwrap();
                        assert_eq!((count, &index[..]), (fails, &[first][..]), "{name}: {m} of {n}");
                    }
                    Err(other) => panic!("{name}: {other}"),
                }
                for (i, got) in values(&y).into_iter().enumerate() {
                    let mut expected = start(i);
                    for _ in 0..if value(i) > 90.0 { round(i).min(1) } else { round(i) } {
                        expected *= 2.0;
                    }
                    if round(i) > 0 {
                        expected.x += value(i);
                    }
                    assert_eq!(got, expected, "{name}: element {i} of {m}, {n}");
                }
                for (i, got) in values(&z).into_iter().enumerate() {
                    let counted = i < m || round(i) == 0;
                    assert_eq!(got, i as f32 + f32::from(u8::from(counted)), "{name}: {i} of {n}, {m}");
                }
            }
        }
    });
}
