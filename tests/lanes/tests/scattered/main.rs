//! Loops that add. Where data names the places: iterations take copies of the field in turns and look at their own indices; against the same in plain
//! Rust, with failures at the start, in the middle and at the end.

mod together;

use swathe::Soa;
use swathe::prelude::*;
use swathe_tests_lanes::{field, number, values, versions};

/// Around four iterations, with a copy for each from some thousands on.
const SIZES: [usize; 9] = [0, 1, 3, 4, 5, 17, 1000, 4099, 30_001];

/// Which iterations fail.
fn faults(n: usize) -> [Vec<usize>; 5] {
    let all = [
        vec![],
        vec![0],
        vec![n / 2, n / 2 + 1],
        vec![n.saturating_sub(1)],
        vec![1, 6, n / 3, n.saturating_sub(2)],
    ];
    all.map(|mut bad| {
        bad.retain(|i| *i < n);
        bad.sort_unstable();
        bad.dedup();
        bad
    })
}

#[kernel]
fn count(keys: &Field<i32>, bins: &mut Field<u32>) {
    for i in keys.indices() {
        bins[keys[i] as usize].atomic_add(1 + i as u32);
    }
}

#[test]
fn neighbours_with_one_key_and_with_many() {
    for n in SIZES {
        for bins in [1, 5, 300, 5000] {
            for bad in faults(n) {
                for spread in [1, 7, bins] {
                    let key = |i: usize| match bad.contains(&i) {
                        true => [bins as i32, -1, i32::MAX, i32::MIN][i % 4],
                        false => (i * i % spread % bins) as i32,
                    };
                    let keys = field(n, key);
                    let mut expected: Vec<u32> = (0..bins as u32).map(|k| 3 * k).collect();
                    for i in (0..n).filter(|i| !bad.contains(i)) {
                        expected[key(i) as usize] += 1 + i as u32;
                    }
                    versions(|name| {
                        let mut sums = field(bins, |k| 3 * k as u32);
                        let result = count(&keys, &mut sums);
                        let what = format!("{n} in {bins}, {bad:?}, {spread}, {name}");
                        assert_eq!(values(&sums), expected, "{what}");
                        // Of several the least index is told.
                        match (result, bad.iter().map(|i| key(*i) as usize).min()) {
                            (Ok(()), None) => {}
                            (Err(Error::OutOfBounds { index, count, .. }), Some(least)) => {
                                assert_eq!((&*index, count), (&[least][..], bad.len()), "{what}");
                            }
                            (result, _) => panic!("{what}: {result:?}"),
                        }
                    });
                }
            }
        }
    }
}

/// Half of it, unless it is above 100.
#[func]
fn half(x: f32) -> f32 {
    assert!(x <= 100.0, "{x} is too much");
    0.5 * x
}

#[kernel]
fn deposit(pos: &Field<Vec2>, mass: &Field<f32>, hits: &mut Field<i64, 2>, momentum: &mut Field<Vec2, 2>) {
    for p in pos.indices() {
        let c = pos[p];
        let [i, j] = [c.x as usize, c.y as usize];
        hits[[i, j]].atomic_sub(1 + p as i64);
        let m = half(mass[p]);
        momentum[[i, j]].atomic_add(Vec2::new(m, -m));
    }
}

#[test]
fn what_fails_later_has_added_before() {
    let shape = [3, 4];
    for n in [3, 17, 4099, 20_001] {
        for bad in faults(n) {
            let pos = field(n, |p| Vec2::new(number(p) * 3.0, number(p + n) * 4.0));
            let mass = |p: usize| match bad.contains(&p) {
                true => 101.0 + p as f32,
                false => (p % 50) as f32 * 2.0,
            };
            let masses = field(n, mass);
            let (mut hits, mut sums) = ([0_i64; 12], [Vec2::ZERO; 12]);
            for (p, at) in values(&pos).iter().enumerate() {
                let cell = at.x as usize * 4 + at.y as usize;
                hits[cell] -= 1 + p as i64;
                if !bad.contains(&p) {
                    // Whole numbers, whose sums are exact in any order.
                    sums[cell] += Vec2::new(0.5 * mass(p), -0.5 * mass(p));
                }
            }
            versions(|name| {
                let device = Device::cpu();
                let mut counted: Field<i64, 2> = Field::zeros(&device, shape).unwrap();
                let zeros: Field<Vec2, 2> = Field::zeros(&device, shape).unwrap();
                let mut momentum = zeros.with_layout(Soa).unwrap();
                let result = deposit(&pos, &masses, &mut counted, &mut momentum);
                let what = format!("{n}, {bad:?}, {name}");
                assert_eq!(values(&counted), hits, "{what}");
                assert_eq!(momentum.to_vec().unwrap(), sums, "{what}");
                match (result, bad.first()) {
                    (Ok(()), None) => {}
                    (Err(Error::KernelFailure { count, .. }), Some(_)) => assert_eq!(count, bad.len(), "{what}"),
                    (result, _) => panic!("{what}: {result:?}"),
                }
            });
        }
    }
}

#[kernel]
fn chained(keys: &Field<u8>, next: &Field<i16>, bins: &mut Field<f64>) -> u32 {
    let mut seen = 0;
    for i in keys.indices() {
        let k = next[keys[i] as usize];
        bins[k as usize].atomic_add(1.0 + i as f64);
        seen += 1;
    }
    seen
}

#[test]
fn an_index_of_an_index() {
    for n in SIZES {
        for bad in faults(n) {
            // Of those that fail the first index does, or the second.
            let key = |i: usize| match bad.contains(&i) {
                true => [9, 10][i % 2],
                false => (i % 9) as u8,
            };
            let keys = field(n, key);
            let next = field(10, |k| if k == 9 { -4 } else { (k * k % 7) as i16 });
            let mut expected = vec![0.25; 7];
            for i in (0..n).filter(|i| !bad.contains(i)) {
                expected[(key(i) as usize).pow(2) % 7] += 1.0 + i as f64;
            }
            versions(|name| {
                let mut bins = field(7, |_| 0.25);
                let result = chained(&keys, &next, &mut bins);
                let what = format!("{n}, {bad:?}, {name}");
                assert_eq!(values(&bins), expected, "{what}");
                assert_eq!(result.is_ok(), bad.is_empty(), "{what}: {result:?}");
                if let Ok(seen) = result {
                    assert_eq!(seen as usize, n, "{what}");
                }
            });
        }
    }
}
