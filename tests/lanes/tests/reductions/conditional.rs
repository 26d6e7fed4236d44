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
                let (of_all, more) = (field(n, |i| number(i)), field(n + 5, number));
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
            for [h, w] in [[2, 1], [3, 17], [5, 130]] {
                let flag = |[i, j]: [usize; 2]| (i + 2 < h && (i * 3 + j) % 3 > 0) as u8;
                let flags = Field::from_fn(&Device::cpu(), [h, w], flag).unwrap();
                let u = |h| Field::from_fn(&Device::cpu(), [h, w], |[i, j]| number(i * 200 + j)).unwrap();
                same("inside", [h, h - 1].map(|h| alone(inside(&flags, &u(h)).unwrap())));
            }
        });
    }
}

/// What fails there fails as it does elsewhere: the iteration is told, and others have done their part.
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
