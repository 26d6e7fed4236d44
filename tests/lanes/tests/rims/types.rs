//! Numbers of other types than that of an index.

use swathe::{Technique, prelude::*};
use swathe_tests_lanes::{field, same, values, versions};

/// Positions that change in the body, and those of other types.
#[kernel]
fn other_positions(x: &Field<i64>, y: &mut Field<i64>, counts: &mut Field<i64>, n: i32, m: i32) {
    let k = x.len();
    for own in 0..k {
        let mut i = own;
        if i + 3 < k {
            i += 2;
        }
        counts[own] = x[i] + x[(i + 1) % k];
    }
    for i in 0..n {
        let j = (i % m) as usize;
        if i + 1 < n && i > 0 {
            y[j].atomic_add(x[(i + 1) as usize]);
        } else {
            y[j].atomic_add(i as i64 % 7);
        }
    }
    for i in 0_u64..k as u64 {
        let last = k as u64 - 1;
        let next = if i == last { 0 } else { i + 1 };
        y[(next % 5) as usize].atomic_add((i % 3) as i64);
    }
}

#[test]
fn positions_of_other_types() {
    versions(|name| {
        for k in [30_usize, 64, 100] {
            let (x, mut y) = (field(k, |i| 3 * i as i64 + 1), field(k, |_| 0));
            let mut counts = field(k, |_| 0);
            other_positions(&x, &mut y, &mut counts, k as i32, 11).unwrap();
            let number = |i: usize| 3 * i as i64 + 1;
            same(name, &values(&counts), |own| {
                let i = if own + 3 < k { own + 2 } else { own };
                number(i) + number((i + 1) % k)
            });
            let mut expected = vec![0; k];
            for i in 0..k {
                let inner = i + 1 < k && i > 0;
                expected[i % 11] += if inner { number(i + 1) } else { i as i64 % 7 };
                expected[(i + 1) % k % 5] += i as i64 % 3;
            }
            same(name, &values(&y), |i| expected[i]);
        }
    });
}

/// Only keeps rustc from computing in advance.
#[func]
fn seen(k: &u8) -> i64 {
    (*k != 255) as i64
}

/// The same text as a kernel and as plain Rust, over 300 elements.
macro_rules! alike {
    ($($name:ident ($x:ident: $X:ty, $y:ident: $Y:ty) |$i:ident| $body:block)*) => {
        $(mod $name {
            use super::*;

            #[kernel]
            pub fn kernel($x: &Field<$X>, $y: &mut Field<$Y>) {
                for $i in $y.indices() $body
            }

            pub fn plain($x: &[$X], $y: &mut [$Y]) {
                for $i in 0..$y.len() $body
            }
        })*

        #[test]
        fn copies_have_the_same_types() {
            versions(|name| {
                $({
                    let x = field(300, |i| (7 * i % 251) as $X);
                    let mut y = field(300, |_| 0 as $Y);
                    $name::kernel(&x, &mut y).unwrap();
                    let mut expected = vec![0 as $Y; 300];
                    $name::plain(&values(&x), &mut expected);
                    same(&format!("{} {name}", stringify!($name)), &values(&y), |i| expected[i]);
                    let plan = $name::kernel::plan();
                    let mut techniques = plan.loops()[0].techniques.iter();
                    assert!(techniques.any(|t| matches!(t, Technique::Split { .. })), "{}", stringify!($name));
                })*
            });
        }
    };
}

// What tells the type of a number stands where most positions do not come.
alike! {
    otherwise(x: u8, y: i64) |i| {
        let a = if i == 0 { 1_u8 } else { 200 };
        let b = a + 100 - x[i] % 2;
        y[i] = b as i64;
    }
    compared(x: u8, y: i64) |i| {
        let q = 3;
        if i != q {
            y[i] = (q << 31) as i64 + x[i] as i64;
        }
    }
    either(x: u8, y: i64) |i| {
        let q = 3;
        if i > q && x[i] > 10 || i == q {
            y[i] = ((q << 62 << 1) >> 63) as i64;
        }
    }
    written(x: u8, y: i64) |i| {
        let mut s = 0;
        if i == 0 {
            s = x[i];
        }
        y[i] = (!s) as i64;
    }
    floats(x: f32, y: f64) |i| {
        let mut s = 0.1;
        if i == 0 {
            s = x[i];
        }
        y[i] = (s / 3.0) as f64;
    }
    limited(x: u8, y: i64) |i| {
        let n = x.len();
        let most = 298;
        y[i] = ((i + 1).min(n - 1) << 1) as i64 + (most << 31) as i64 + i.min(most).max(2) as i64;
    }
    jumps(x: i32, y: i32) |i| {
        let v = if i > 0 { x[i - 1] } else { continue };
        y[i] = v + 3;
    }
    jumps_most(x: i32, y: i32) |i| {
        let v = if i > 290 { continue } else { x[i] };
        y[i] = v.wrapping_mul(3);
    }
    found(x: i32, y: i32) |i| {
        let v = 'b: {
            if i == 0 {
                break 'b 250_u8;
            }
            200
        };
        y[i] = (v + 10) as i32 + x[i];
    }
    looped(x: u8, y: i64) |i| {
        let mut s = 200;
        for k in 0..x[i] % 40 + 17 {
            if i == 0 {
                s = k;
            }
            s += if i + 1 < x.len() { 50 } else { x[i] };
        }
        let t = if i > 3 {
            let mut t = 100;
            for _ in 0..20 {
                t += 50;
            }
            t
        } else {
            7_u8
        };
        y[i] = s as i64 + t as i64;
    }
    wrapped(x: u8, y: i64) |i| {
        let k: u8 = 250;
        let o = if k + 10 < 20 { 100 } else { 0 };
        y[i] = if i + o < 300 { i as i64 } else { seen(&k) };
        if i + 200 < x.len() && k + 10 < 20 {
            y[i] += x[i + o] as i64;
        }
    }
}

/// What a remainder is of is chosen by numbers of another type.
#[kernel]
fn other_choices(x: &Field<i32>, y: &mut Field<i32>, n: u32) {
    let len = x.len();
    for i in 0..n {
        let by = if len > 10 { 1 } else { 2 };
        y[i as usize].atomic_add(x[((i + by) % n) as usize]);
    }
}

#[test]
fn choices_of_other_types() {
    versions(|name| {
        let (x, mut y) = (field(300, |i| 5 * i as i32), field(300, |_| 0));
        other_choices(&x, &mut y, 300).unwrap();
        same(name, &values(&y), |i| 5 * ((i as i32 + 1) % 300));
    });
}

/// A choice by a number whose type only the branch tells that is not taken.
#[kernel]
fn narrow_choices(x: &Field<i32>, y: &mut Field<i32>, n: usize, m: usize, by: u8) {
    for i in y.indices() {
        let c = if n < m { 200 } else { by };
        y[i] = x[if c + 100 < 200 { i + 100_000_000 } else { i }];
    }
}

#[test]
fn types_of_branches_that_are_not_taken() {
    versions(|name| {
        let (x, mut y) = (field(300, |i| i as i32), field(300, |_| 0));
        let error = narrow_choices(&x, &mut y, 3, 5, 7).unwrap_err().to_string();
        assert!(error.contains("[100000000]"), "{name}: {error}");
        narrow_choices(&x, &mut y, 5, 3, 150).unwrap();
        same(name, &values(&y), |i| i as i32);
    });
}

/// Neighbours in numbers of other types than that of an index: with a sign, short, without room for all positions.
#[kernel]
fn signed_neighbours(u: &Field<i64>, v: &mut Field<i64>, m: i32, short: i16) {
    let n = u.len() as i32;
    for i in v.indices() {
        let k = i as i32;
        let left = (k - 1).clamp(0, n - 1) as usize;
        let right = (k + 1).min(n - 1) as usize;
        let below = (k - m).max(0) as usize;
        let around = u[(k - 1).rem_euclid(n) as usize] - 5 * u[((k + 1) % n) as usize];
        let mirrored = u[(i as isize - 3).abs() as usize % u.len()];
        let mut beside = 0;
        if k - 2 >= 0 && k + 2 < n {
            beside = u[(k - 2) as usize] * u[(k + 2) as usize];
        }
        let narrow = i as i16;
        if narrow >= short && narrow < short + 100 && narrow >= 0 {
            beside += u[narrow as usize % u.len()] + narrow as i64;
        }
        let byte = i as u8 as usize;
        if byte + 1 < u.len() {
            beside -= u[byte + 1];
        }
        for d in -1..=1_i32 {
            let at = k + d;
            if at >= 0 && at < n {
                beside += d as i64 * u[at as usize];
            }
        }
        v[i] = u[left] + 3 * u[right] - 7 * u[below] + 11 * around + 13 * mirrored + 17 * beside;
    }
}

fn signed_neighbours_of(u: &[i64], m: i32, short: i16) -> Vec<i64> {
    let n = u.len() as i64;
    let at = |k: i64| u[k as usize];
    let one = |i: usize| {
        let k = i as i64;
        let below = at((k as i32).wrapping_sub(m).max(0) as i64);
        let around = at((k - 1).rem_euclid(n)) - 5 * at((k + 1) % n);
        let mirrored = at((k - 3).abs() % n);
        let mut beside = if k >= 2 && k + 2 < n { at(k - 2) * at(k + 2) } else { 0 };
        let narrow = i as i16;
        if narrow >= short && narrow < short.wrapping_add(100) && narrow >= 0 {
            beside += at(narrow as i64 % n) + narrow as i64;
        }
        let byte = i as u8 as i64;
        if byte + 1 < n {
            beside -= at(byte + 1);
        }
        for d in [-1, 0, 1] {
            if (0..n).contains(&(k + d)) {
                beside += d * at(k + d);
            }
        }
        at((k - 1).clamp(0, n - 1)) + 3 * at((k + 1).min(n - 1)) - 7 * below + 11 * around + 13 * mirrored + 17 * beside
    };
    (0..u.len()).map(one).collect()
}

/// Literals that are cast have the type that other lines tell, and wrap in it.
#[kernel]
fn cast_literals(u: &Field<i64>, v: &mut Field<i64>, bytes: &mut Field<u8>) {
    for i in v.indices() {
        let a = 200;
        for b in 54..=56 {
            bytes[i] = a + b;
            v[i] += u[i + (a + b) as usize] * u[(b - 54) as usize];
        }
        if (a + 100) as usize > i {
            v[i] += 1000;
        }
    }
}

#[test]
fn literals_that_are_cast() {
    versions(|name| {
        for n in [1, 3, 64, 300] {
            let (u, mut v) = (field(n + 255, |i| i as i64 + 1), field(n, |_| 0));
            let mut bytes = field(n, |_| 0);
            cast_literals(&u, &mut v, &mut bytes).unwrap();
            same(name, &values(&bytes), |_| 0);
            same(name, &values(&v), |i| {
                let sums = (i as i64 + 255) + (i as i64 + 256) * 2 + (i as i64 + 1) * 3;
                sums + if 44 > i { 1000 } else { 0 }
            });
        }
    });
}

#[test]
fn neighbours_in_signed_numbers() {
    let plan = signed_neighbours::plan();
    let split =
        |t: &Technique| matches!(t, Technique::Split { comparisons, accesses } if *comparisons >= 9 && *accesses >= 8);
    assert!(plan.loops()[0].techniques.iter().any(split), "{plan}");
    let number = |i: usize| (i as i64 * 37) % 101 - 40;
    versions(|name| {
        // Positions beyond the types of 8 and 16 bits.
        for n in [1, 3, 25, 64, 300, 1000, 33_000, 70_000] {
            for (m, short) in [(1, 0), (5, 20), (7, -50), (0, i16::MAX - 200), (40, 32_760)] {
                let u = field(n, number);
                let mut v = field(n, |_| 0);
                signed_neighbours(&u, &mut v, m, short).unwrap();
                let expected = signed_neighbours_of(&values(&u), m, short);
                same(&format!("{name}: {n}, {m}, {short}"), &values(&v), |i| expected[i]);
            }
        }
    });
}

const BY_FOUR: u8 = 4;

/// Variables of several types, each cast where it is used.
#[kernel]
fn cast_variables(u: &Field<i64>, v: &mut Field<i64>, m: i32, k: u16, r: f32, on: bool) {
    for i in v.indices() {
        v[i] = u[i + m as usize] + 3 * u[i + k as usize] - 7 * u[i + r as usize]
            + 11 * u[i + on as usize]
            + 13 * u[i + BY_FOUR as usize];
    }
}

/// Sums of which the text does not tell the type stay as they are, and take nothing from the others.
#[kernel]
fn cast_sums(u: &Field<i64>, v: &mut Field<i64>, m: i32) {
    for i in v.indices() {
        v[i] = u[i + 1] + 3 * u[i + (m + 1) as usize] - 7 * u[i + m as usize];
    }
}

#[test]
fn variables_that_are_cast() {
    let split = |plan: &swathe::Plan| {
        plan.loops()[0].techniques.iter().find_map(|technique| match technique {
            Technique::Split { accesses, .. } => Some(*accesses),
            _ => None,
        })
    };
    assert_eq!(split(&cast_variables::plan()), Some(5));
    assert_eq!(split(&cast_sums::plan()), Some(2));
    let number = |i: usize| (i as i64 * 37) % 101 - 40;
    versions(|name| {
        for n in [1, 3, 64, 300] {
            let (u, mut v) = (field(n + 9, number), field(n, |_| 0));
            cast_variables(&u, &mut v, 2, 9, 6.9, true).unwrap();
            same(name, &values(&v), |i| {
                number(i + 2) + 3 * number(i + 9) - 7 * number(i + 6) + 11 * number(i + 1) + 13 * number(i + 4)
            });
            // A float below zero is cast to zero, and a number past 2^63 wraps to the neighbour before.
            let error = cast_variables(&u, &mut v, -1, 0, -3.5, false).unwrap_err();
            assert!(matches!(error, Error::OutOfBounds { count: 1, .. }), "{name}: {error}");
            same(name, &values(&v)[1..], |i| {
                number(i) + 3 * number(i + 1) - 7 * number(i + 1) + 11 * number(i + 1) + 13 * number(i + 5)
            });
            cast_sums(&u, &mut v, 5).unwrap();
            same(name, &values(&v), |i| {
                number(i + 1) + 3 * number(i + 6) - 7 * number(i + 5)
            });
        }
    });
}

/// Reflected at zero, and the distance from elsewhere, which is below zero in half of a row and is computed as it is written.
#[kernel]
fn distances(u: &Field<i64, 2>, v: &mut Field<i64, 2>, to: i32) {
    for [i, j] in v.indices() {
        let apart = (j as i32 - to).abs() + (i as i32 - j as i32).abs();
        v[[i, j]] = u[[i, (j as i32 - 2).abs() as usize]] * apart as i64;
    }
}

#[test]
fn distances_are_not_split() {
    let plan = distances::plan();
    let expected = Technique::Split {
        comparisons: 1,
        accesses: 1,
    };
    assert!(plan.loops()[0].techniques.contains(&expected), "{plan}");
    versions(|name| {
        for [h, w] in [[1, 3], [3, 30], [7, 101]] {
            let number = |i: usize, j: usize| (i * 37 + j * 101) as i64 % 61 - 20;
            let u = Field::from_fn(&Device::cpu(), [h, w], |[i, j]| number(i, j)).unwrap();
            let mut v = Field::full(&Device::cpu(), [h, w], 0_i64).unwrap();
            distances(&u, &mut v, 20).unwrap();
            same(name, &values(&v), |k| {
                let (i, j) = (k / w, k % w);
                number(i, j.abs_diff(2)) * (j.abs_diff(20) + i.abs_diff(j)) as i64
            });
        }
    });
}
