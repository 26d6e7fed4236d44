//! Accesses at indices from data behind conditions that keep them in bounds, and behind such that only look like it.

use swathe::Coverage;
use swathe::prelude::*;

use super::support::{SIZES, ended, equal, field, sources};

/// Each access to `x` is in bounds by what stands around it.
#[kernel]
fn guarded(at: &Field<i64>, x: &Field<i64>, y: &mut Field<i64>) {
    for i in y.indices() {
        let k = at[i] as usize;
        let mut sum = 0;
        if k < x.len() {
            sum += x[k];
        } else {
            sum -= 1;
        }
        if !(k >= x.shape()[0] || x[k] > 50) {
            sum += 3 * x[k];
        }
        let n = x.len();
        let other = k;
        let inside = n > other && sum != 7;
        if inside {
            sum += 5 * x[other];
        }
        if k >= 2 && k < n {
            sum += 7 * x[k - 2];
        }
        if k.wrapping_add(0) < n {
            sum += 1;
        }
        let below = at[i] as i16 - 1;
        if 0 <= below && below < n as i16 {
            sum += 11 * x[below as usize];
        }
        if (at[i] as usize) + 1 < n && k + 1 < n {
            sum += 13 * x[k + 1];
        }
        let byte = at[i] as u8;
        if (byte as usize) < n {
            sum += 17 * x[byte as usize];
        }
        for l in 0..at[i].max(0).min(3) as usize {
            if l >= n {
                break;
            }
            sum += 19 * x[l];
        }
        y[i] = sum;
        if at[i] < 0 || at[i] as usize >= n {
            continue;
        }
        let last = at[i] as usize;
        if last >= n {
            continue;
        }
        y[i] += 23 * x[last];
    }
}

fn expected(at: i64, x: &[i64]) -> i64 {
    let n = x.len();
    let k = at as usize;
    let get = |k: usize| x.get(k).copied();
    let mut sum = get(k).unwrap_or(-1);
    if let Some(value) = get(k).filter(|value| *value <= 50) {
        sum += 3 * value;
    }
    if sum != 7 {
        sum += get(k).map_or(0, |value| 5 * value);
    }
    if k >= 2 {
        sum += get(k).map_or(0, |_| 7 * x[k - 2]);
    }
    sum += i64::from(k < n);
    let below = i64::from(at as i16) - 1;
    if below < n as i64 {
        sum += usize::try_from(below).map_or(0, |below| 11 * x[below]);
    }
    sum += get(k.wrapping_add(1)).filter(|_| at >= 0).map_or(0, |value| 13 * value);
    sum += get((at & 0xff) as usize).map_or(0, |value| 17 * value);
    for l in 0..at.clamp(0, 3) as usize {
        sum += get(l).map_or(0, |value| 19 * value);
    }
    sum + get(k).map_or(0, |value| 23 * value)
}

/// Conditions with a number from outside: fields may be shorter than it is.
#[kernel]
fn numbered(at: &Field<u32>, x: &Field<i64>, u: &Field<i64, 2>, sums: &mut Field<i64>, y: &mut Field<i64>, n: usize) {
    let [h, w] = u.shape();
    for i in y.indices() {
        y[i] = -1;
        let (k, r, c) = (at[i] as usize, at[i] as usize / 3, at[i] as usize % 5);
        if k < n {
            sums[k].atomic_add(x[k]);
        }
        if r < h && c < w {
            y[i] = u[[r, c]];
        }
    }
}

/// Conditions that do not say what is needed.
#[kernel]
fn lookalikes(at: &Field<u32>, x: &Field<i64>, z: &Field<i64>, y: &mut Field<i64>, case: u32) {
    for i in y.indices() {
        let k = at[i] as usize;
        let mut moving = k;
        y[i] = -1;
        y[i] = match case {
            0 if k <= x.len() => x[k],
            1 if k < x.len() => x[k + 1],
            2 if k < z.len() => x[k],
            3 => {
                if k < x.len() {
                    -2
                } else {
                    x[k]
                }
            }
            4 => {
                let mut found = -2;
                if k < x.len() {
                    let k = k + 1;
                    found = x[k];
                }
                found
            }
            5 => {
                let mut found = -2;
                if moving < x.len() {
                    moving += 1;
                    found = x[moving];
                }
                found
            }
            6 => {
                if (k as u8 as usize) < x.len() {
                    x[k]
                } else {
                    -2
                }
            }
            7 => {
                if k < x.len() || k < 1000 {
                    x[k]
                } else {
                    -2
                }
            }
            8 => {
                let mut seen = 0;
                if k < x.len() {
                    seen += 1;
                }
                x[k] + 0 * seen
            }
            9 => {
                let signed = at[i] as i8;
                if signed < x.len() as i8 { x[signed as usize] } else { -2 }
            }
            10 => {
                let wide = at[i] as u32;
                if wide.wrapping_add(1) < x.len() as u32 {
                    x[wide as usize]
                } else {
                    -2
                }
            }
            _ => {
                let mut seen = 0;
                for l in 0..3 {
                    if k >= x.len() {
                        continue;
                    }
                    seen += l;
                }
                x[k] + 0 * seen
            }
        };
    }
}

/// The index that each case looks at, where it does.
fn looked_at(case: u32, at: u32, n: usize) -> Option<usize> {
    let k = at as usize;
    match case {
        // Else the last arm does.
        1 if k < n => Some(k + 1),
        4 | 5 => (k < n).then_some(k + 1),
        3 => (k >= n).then_some(k),
        6 => (((at & 0xff) as usize) < n).then_some(k),
        7 => (k < n || k < 1000).then_some(k),
        9 => (i64::from(at as i8) < i64::from(n as i8)).then_some(at as i8 as usize),
        10 => (at.wrapping_add(1) < n as u32).then_some(k),
        _ => Some(k),
    }
}

pub fn check(device: &Device) {
    let of = |checks: swathe::Checks, field: &str| -> Vec<Coverage> {
        let accesses = checks.accesses().filter(|access| access.field == field);
        accesses.map(|access| access.coverage).collect()
    };
    assert_eq!(of(guarded::checks(), "x"), [Coverage::Domain; 10]);
    assert_eq!(of(numbered::checks(), "x"), [Coverage::BeforeLoop]);
    assert_eq!(of(numbered::checks(), "sums"), [Coverage::BeforeLoop]);
    assert_eq!(of(numbered::checks(), "u"), [Coverage::Domain]);
    assert_eq!(of(lookalikes::checks(), "x"), [Coverage::InPlace; 12]);
    for n in SIZES {
        check_guarded(device, n);
        check_numbered(device, n);
    }
    for n in [0, 3, 17, 100] {
        for case in 0..12 {
            check_lookalike(device, n, case);
        }
    }
}

fn value(k: usize) -> i64 {
    3 * k as i64 - 40
}

fn check_guarded(device: &Device, n: usize) {
    let x: Vec<i64> = (0..n).map(value).collect();
    let near = n as i64;
    let ends = [
        0,
        1,
        2,
        3,
        near - 2,
        near - 1,
        near,
        near + 1,
        255,
        256,
        -1,
        -2,
        i64::MAX,
        i64::MIN,
        1 << 32,
    ];
    let at: Vec<i64> = (0..40)
        .map(|i| ends[i * 7 % 15] + (i as i64 % 3 - 1) * i64::from(i > 20))
        .collect();
    // In builds that check, sums of these overflow.
    let at: Vec<i64> = at
        .into_iter()
        .filter(|at| *at != -1 && (*at as i16) != i16::MIN)
        .collect();
    let mut y = Field::zeros(device, at.len()).unwrap();
    guarded(&field(device, &at), &field(device, &x), &mut y).unwrap();
    let expected: Vec<i64> = at.iter().map(|at| expected(*at, &x)).collect();
    equal("guarded", &y.to_vec().unwrap(), &expected);
}

fn check_numbered(device: &Device, n: usize) {
    let at: Vec<u32> = (0..n).map(|i| (i * 7919 % (n + 2)) as u32).collect();
    for len in [n, n.saturating_sub(2)] {
        let x: Vec<i64> = (0..len).map(value).collect();
        let u: Vec<i64> = (0..n * 3).map(|e| 5 * e as i64 + 1).collect();
        let u = Field::from_vec(device, u).unwrap().into_shape([n, 3]).unwrap();
        let (mut sums, mut y) = (Field::zeros(device, n).unwrap(), Field::zeros(device, n).unwrap());
        let result = ended(
            device,
            numbered(&field(device, &at), &field(device, &x), &u, &mut sums, &mut y, n),
        );
        let beyond: Vec<usize> = at
            .iter()
            .map(|k| *k as usize)
            .filter(|k| (len..n).contains(k))
            .collect();
        match result {
            Ok(()) => assert_eq!(beyond, [], "{n}"),
            Err(Error::OutOfBounds { index, count, .. }) => {
                assert_eq!(count, beyond.len(), "{n}");
                assert!(beyond.iter().any(|k| [*k] == *index), "{n}: {index:?}");
            }
            Err(error) => panic!("{n}: {error}"),
        }
        let mut added = vec![0; n];
        at.iter()
            .map(|k| *k as usize)
            .filter(|k| *k < len)
            .for_each(|k| added[k] += value(k));
        equal("sums", &sums.to_vec().unwrap(), &added);
        let found = at.iter().map(|k| {
            let (k, r, c) = (*k as usize, *k as usize / 3, *k as usize % 5);
            let fails = (len..n).contains(&k);
            if !fails && r < n && c < 3 {
                5 * (r * 3 + c) as i64 + 1
            } else {
                -1
            }
        });
        equal("numbered", &y.to_vec().unwrap(), &found.collect::<Vec<_>>());
    }
}

fn check_lookalike(device: &Device, n: usize, case: u32) {
    let x: Vec<i64> = (0..n).map(value).collect();
    let z = vec![0; n + 2];
    let ends = [
        0,
        1,
        n as u32,
        n as u32 + 1,
        (n as u32).wrapping_sub(1),
        128,
        130,
        256,
        999,
        1000,
        u32::MAX,
    ];
    for at in ends {
        let mut y = Field::zeros(device, 1).unwrap();
        let fields = (field(device, &[at]), field(device, &x), field(device, &z));
        let result = ended(device, lookalikes(&fields.0, &fields.1, &fields.2, &mut y, case));
        let looked = looked_at(case, at, n);
        match (result, looked) {
            (Ok(()), Some(k)) if k < n => assert_eq!(y.to_vec().unwrap(), [value(k)], "{case} of {at}, {n}"),
            (Ok(()), None) => assert!(y.to_vec().unwrap()[0] < 0, "{case} of {at}, {n}"),
            (Err(Error::OutOfBounds { index, .. }), Some(k)) if k >= n => {
                assert_eq!(*index, [k], "{case} of {at}, {n}")
            }
            (result, looked) => panic!("{case} of {at}, {n}: {result:?} at {looked:?}"),
        }
    }
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![guarded, numbered, lookalikes]
}
