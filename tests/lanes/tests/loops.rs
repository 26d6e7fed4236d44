//! Bodies with sequential loops, against the same in plain Rust.

use swathe::{Soa, Technique, prelude::*};
use swathe_tests_lanes::{SIZES, field, number, same, values, versions};

// Strict: the reference is not contracted.
#[kernel(strict)]
fn gravity(pos: &Field<Vec3>, mass: &Field<f32>, acc: &mut Field<Vec3>) {
    for i in acc.indices() {
        let mut a = Vec3::ZERO;
        for j in 0..pos.len() {
            let d = pos[j] - pos[i];
            let r2 = d.dot(d) + 1e-4;
            a += d * (mass[j] / (r2 * r2.sqrt()));
        }
        acc[i] = a;
    }
}

#[test]
fn a_loop_of_the_same_length_in_all_lanes() {
    for n in SIZES {
        let pos: Vec<Vec3> = (0..n)
            .map(|i| Vec3::new(number(3 * i), number(3 * i + 1), number(3 * i + 2)))
            .collect();
        let mass: Vec<f32> = (0..n).map(number).collect();
        let expected: Vec<Vec3> = pos
            .iter()
            .map(|at| {
                let mut a = Vec3::ZERO;
                for (other, mass) in pos.iter().zip(&mass) {
                    let d = *other - *at;
                    let r2 = d.dot(d) + 1e-4;
                    a += d * (mass / (r2 * r2.sqrt()));
                }
                a
            })
            .collect();
        versions(|version| {
            let (pos, mass) = (field(n, |i| pos[i]), field(n, |i| mass[i]));
            let mut acc = field(n, |_| Vec3::ONE);
            gravity(&pos, &mass, &mut acc).unwrap();
            assert_eq!(values(&acc), expected, "{n} bodies, {version}");
            let pos = pos.with_layout(Soa).unwrap();
            let mut acc = acc.with_layout(Soa).unwrap();
            gravity(&pos, &mass, &mut acc).unwrap();
            assert_eq!(acc.to_vec().unwrap(), expected, "{n} bodies in planes, {version}");
        });
    }
}

#[kernel]
fn collatz(start: &Field<u32>, steps: &mut Field<i32>, highest: &mut Field<u32>) {
    for i in start.indices() {
        let mut x = start[i];
        let mut n = 0;
        let mut top = x;
        while x > 1 && n < 500 {
            x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
            top = top.max(x);
            n += 1;
        }
        highest[i] = top;
        steps[i] = n;
    }
}

#[test]
fn lanes_leave_a_loop_at_different_times() {
    for n in SIZES {
        let expected: Vec<(i32, u32)> = (0..n)
            .map(|i| {
                let (mut x, mut n, mut top) = (i as u32 * 7 % 97, 0, i as u32 * 7 % 97);
                while x > 1 && n < 500 {
                    x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
                    top = top.max(x);
                    n += 1;
                }
                (n, top)
            })
            .collect();
        versions(|version| {
            let start = field(n, |i| i as u32 * 7 % 97);
            let (mut steps, mut highest) = (field(n, |_| -1), field(n, |_| 1));
            collatz(&start, &mut steps, &mut highest).unwrap();
            let got: Vec<_> = values(&steps).into_iter().zip(values(&highest)).collect();
            assert_eq!(got, expected, "{n} numbers, {version}");
        });
    }
}

/// Everything that leaves or continues a loop, in loops of several parts.
#[kernel]
fn jumps(first: &Field<i32>, last: &Field<i32>, rounds: i32, out: &mut Field<i64>, seen: &mut Field<i32>) {
    for i in out.indices() {
        if first[i] == 5 {
            continue;
        }
        let mut total = 0;
        let mut count = 0i32;
        'outer: for a in 0..rounds {
            if a == first[i] {
                continue;
            }
            let step = a + first[i];
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
                if a > last[i] {
                    break 'outer;
                }
                total += (a * b) as i64;
            }
            count += step;
            total += 1000;
        }
        if count == 3 {
            continue;
        }
        let mut k = 0;
        while k < count % 7 {
            total -= k as i64;
            k += 1;
        }
        out[i] = total;
        seen[i] = count;
    }
}

fn jumps_of(first: i32, last: i32, rounds: i32, old: (i64, i32)) -> (i64, i32) {
    if first == 5 {
        return old;
    }
    let (mut total, mut count) = (0, 0);
    'outer: for a in 0..rounds {
        if a == first {
            continue;
        }
        let step = a + first;
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
            total += i64::from(a * b);
        }
        count += step;
        total += 1000;
    }
    if count == 3 {
        return old;
    }
    let mut k = 0;
    while k < count % 7 {
        total -= i64::from(k);
        k += 1;
    }
    (total, count)
}

#[test]
fn jumps_out_of_loops_in_loops() {
    let first = |i: usize| (i * 5 % 13) as i32 - 2;
    let last = |i: usize| (i * 3 % 17) as i32;
    for (n, rounds) in SIZES.into_iter().flat_map(|n| [(n, 0), (n, 1), (n, 14)]) {
        let expected: Vec<_> = (0..n)
            .map(|i| jumps_of(first(i), last(i), rounds, (-7, i as i32)))
            .collect();
        versions(|version| {
            let (first, last) = (field(n, first), field(n, last));
            let (mut out, mut seen) = (field(n, |_| -7), field(n, |i| i as i32));
            jumps(&first, &last, rounds, &mut out, &mut seen).unwrap();
            let got: Vec<_> = values(&out).into_iter().zip(values(&seen)).collect();
            assert_eq!(got, expected, "{n} elements, {rounds} rounds, {version}");
        });
    }
}

#[kernel]
fn product(a: &Field<f64, 2>, b: &Field<f64, 2>, c: &mut Field<f64, 2>) {
    let inner = a.shape()[1];
    for [i, j] in c.indices() {
        let mut sum = 0.0;
        for k in 0..inner {
            sum += a[[i, k]] * b[[k, j]];
        }
        // Where the row begins, another value.
        let scale = if j == 0 { 2.0 } else { 1.0 };
        for _ in 0..i {
            sum += scale;
        }
        c[[i, j]] = sum;
    }
}

#[test]
fn rows_of_matrices() {
    for [n, inner, m] in [[0, 3, 4], [3, 0, 17], [1, 1, 1], [5, 7, 16], [17, 3, 33], [2, 19, 100]] {
        let value = |k: usize| f64::from(number(k));
        versions(|version| {
            let device = Device::cpu();
            let fill = |shape: [usize; 2], from: usize| {
                let mut f = Field::<f64, 2>::zeros(&device, shape).unwrap();
                f.copy_from_slice(&(0..shape[0] * shape[1]).map(|k| value(k + from)).collect::<Vec<_>>())
                    .unwrap();
                f
            };
            let (a, b) = (fill([n, inner], 0), fill([inner, m], 999));
            let mut c = fill([n, m], 5);
            product(&a, &b, &mut c).unwrap();
            let expected: Vec<f64> = (0..n * m)
                .map(|at| {
                    let (i, j) = (at / m, at % m);
                    let mut sum = (0..inner).fold(0.0, |sum, k| sum + value(i * inner + k) * value(k * m + j + 999));
                    for _ in 0..i {
                        sum += if j == 0 { 2.0 } else { 1.0 };
                    }
                    sum
                })
                .collect();
            assert_eq!(values(&c), expected, "{n} x {inner} x {m}, {version}");
        });
    }
}

#[derive(Element, Clone, Copy, Debug, PartialEq, Default)]
struct Particle {
    kind: u8,
    pos: Vec2,
    live: bool,
    spin: [i32; 3],
}

/// Variables of all kinds live from one part to another, some under one name.
// Strict: the reference is not contracted.
#[kernel(strict)]
fn kinds(p: &mut Field<Particle>, weights: &Field<f32>) {
    for i in p.indices() {
        let x = p[i];
        let pair = (x.kind, x.pos.x);
        let x = x.pos;
        let mut y = x * 2.0;
        let (mut a, b) = (pair.0, true);
        for k in 0..weights.len() {
            let x = weights[k];
            y += Vec2::new(x, -x) * pair.1;
            a = a.wrapping_add(1);
        }
        let mut spin = [0; 3];
        let mut n = 0usize;
        while n < a as usize % 9 {
            spin[n % 3] += n as i32;
            n += 1;
        }
        p[i].pos = y + x;
        p[i].kind = a;
        p[i].live = b && n > 2;
        p[i].spin = spin;
    }
}

#[test]
fn variables_of_all_types() {
    let start = |i: usize| Particle {
        kind: (i * 31 % 251) as u8,
        pos: Vec2::new(number(i), number(i + 5)),
        live: false,
        spin: [7; 3],
    };
    for n in SIZES {
        let expected: Vec<Particle> = (0..n)
            .map(|i| {
                let p = start(i);
                let mut y = p.pos * 2.0;
                for k in 0..20 {
                    y += Vec2::new(number(k), -number(k)) * p.pos.x;
                }
                let kind = p.kind.wrapping_add(20);
                let mut spin = [0; 3];
                for n in 0..i32::from(kind) % 9 {
                    spin[n as usize % 3] += n;
                }
                Particle {
                    kind,
                    pos: y + p.pos,
                    live: kind % 9 > 2,
                    spin,
                }
            })
            .collect();
        versions(|version| {
            let mut p = field(n, start);
            kinds(&mut p, &field(20, number)).unwrap();
            assert_eq!(values(&p), expected, "{n} particles, {version}");
        });
    }
}

#[kernel]
fn domains(from: i32, to: i32, flat: &mut Field<f32>, plane: &mut Field<u64, 2>) {
    for k in (from..=to).step_by(3) {
        let mut s = k as f32;
        let mut left = k.max(0);
        while left > 0 {
            s += 0.5;
            left -= 2;
        }
        // SAFETY: the test's numbers are below the length.
        unsafe {
            *flat.get_unchecked_mut(k as usize) = s;
        }
    }
    let [n, m] = plane.shape();
    for [i, j] in ndrange([n, m]) {
        let mut s = i;
        for k in 0..n {
            s += k * j;
        }
        plane[[i, j]] = s as u64;
    }
}

#[test]
fn domains_of_all_kinds() {
    for (n, m, from, to) in [(0, 5, 0, -1), (3, 17, 0, 99), (2, 16, 1, 1), (5, 40, 2, 200)] {
        versions(|version| {
            let mut flat = field(201, |_| -1.0);
            let mut plane = Field::<u64, 2>::zeros(&Device::cpu(), [n, m]).unwrap();
            domains(from, to, &mut flat, &mut plane).unwrap();
            let mut expected = vec![-1.0; 201];
            for k in (from..=to).step_by(3) {
                expected[k as usize] = k as f32 + 0.5 * ((k + 1) / 2) as f32;
            }
            assert_eq!(values(&flat), expected, "{from} to {to}, {version}");
            let sum = |at: usize| at / m + (0..n).map(|k| k * (at % m)).sum::<usize>();
            let expected: Vec<u64> = (0..n * m).map(|at| sum(at) as u64).collect();
            assert_eq!(values(&plane), expected, "{n} x {m}, {version}");
        });
    }
}

#[kernel]
fn hidden(x: &Field<i32>, rounds: usize, sums: &mut Field<i32>) {
    for i in sums.indices() {
        let mut y = x[i];
        for k in 0..rounds {
            sums[i] += y;
            let y = 100 * k as i32 + x[i];
            sums[i] += y;
        }
        y += 1;
        sums[i] += 7 * y;
    }
}

#[test]
fn a_name_that_hides_another_one() {
    for n in SIZES {
        let x = |i: usize| 3 * i as i32 + 1;
        let expected: Vec<i32> = (0..n).map(|i| 10 * x(i) + 1000 + 7 * (x(i) + 1)).collect();
        versions(|version| {
            let mut sums = field(n, |_| 0);
            hidden(&field(n, x), 5, &mut sums).unwrap();
            assert_eq!(values(&sums), expected, "{n} elements, {version}");
        });
    }
}

#[kernel]
fn far_sum(m: usize, least: usize) -> u64 {
    let mut count = 0;
    for [_i, j] in ndrange([1, m]) {
        if j >= least {
            count += 1;
        }
    }
    count
}

#[kernel]
fn near(m: usize, out: &mut Field<u32, 2>) {
    for [i, j] in ndrange([1, m]) {
        if j < 5 {
            out[[i, j]] += 7 + j as u32;
        }
    }
}

/// Rows are cut where a condition on positions changes, so that domains may be as large as they can be.
#[test]
fn loops_over_nearly_all_positions() {
    assert!(far_sum(usize::MAX, 3).is_err());
    for m in [1 << 56, (1 << 56) - 3, (1 << 56) - 1000, 3 << 53, 1 << 50, 7] {
        assert_eq!(far_sum(m, m - 3).unwrap(), 3, "{m}");
        let mut out = Field::zeros(&Device::cpu(), [1, 5]).unwrap();
        near(m, &mut out).unwrap();
        assert_eq!(out.to_vec().unwrap(), [7, 8, 9, 10, 11], "{m}");
    }
}

/// Bounds from patterns are the same for all lanes.
#[kernel]
fn over_positions(x: &Field<i32, 2>, y: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let mut s = 0;
        let [h, w] = x.shape();
        for a in 0..h {
            for b in 0..w {
                s += x[[a, b]] * (i + b) as i32;
            }
        }
        for [a, b] in x.indices() {
            s += x[[a, b]] * (i + 3 * a) as i32;
        }
        for j in y.indices() {
            s -= y[j] * (i % 5 + j) as i32;
        }
        out[i] = s;
    }
}

#[test]
fn positions_of_fields() {
    versions(|version| {
        for n in SIZES {
            let x = Field::from_fn(&Device::cpu(), [3, 5], |[a, b]| (7 * a + b * b) as i32 - 20).unwrap();
            let y = Field::from_fn(&Device::cpu(), 17, |[j]| 3 * j as i32 - 11).unwrap();
            let mut out = Field::zeros(&Device::cpu(), n).unwrap();
            over_positions(&x, &y, &mut out).unwrap();
            let expected = (0..n).map(|i| {
                let mut s = 0;
                for [a, b] in swathe::ndrange([3, 5]) {
                    s += ((7 * a + b * b) as i32 - 20) * (2 * i + b + 3 * a) as i32;
                }
                (0..17).fold(s, |s, j| s - (3 * j as i32 - 11) * (i % 5 + j) as i32)
            });
            assert_eq!(
                out.to_vec().unwrap(),
                expected.collect::<Vec<i32>>(),
                "{version:?}, {n}"
            );
        }
    });
}

/// Loops whose step may be zero where no iteration comes to them.
#[kernel]
fn stepped(out: &mut Field<u32>, n: usize, s: usize) {
    for i in out.indices() {
        if s == 0 {
            out[i] += 1;
            continue;
        }
        let mut t = 0;
        for k in (0..n).step_by(s) {
            t += k as u32 + i as u32;
        }
        out[i] = t;
    }
}

#[test]
fn steps_count_where_an_iteration_comes() {
    versions(|name| {
        for (n, s) in SIZES.into_iter().flat_map(|n| [(n, 0), (n, 1), (n, 2), (n, 7)]) {
            let mut out = field(n, |i| 5 * i as u32);
            stepped(&mut out, 19, s).unwrap();
            same(name, &values(&out), |i| {
                if s == 0 {
                    return 5 * i as u32 + 1;
                }
                (0..19).step_by(s).map(|k| k + i as u32).sum()
            });
        }
    });
}

/// Writes along rows, of which each iteration has its own, in three spellings.
#[kernel]
fn along_rows(x: &Field<f32, 2>, y: &mut Field<f32, 2>) {
    let [h, w] = x.shape();
    for i in 0..h {
        for j in 0..w {
            y[[i, j]] = 2.0 * x[[i, j]] + 1.0;
        }
    }
}

#[kernel]
fn along_named_rows(x: &Field<f32, 2>, y: &mut Field<f32, 2>) {
    let [h, w] = x.shape();
    for i in 0..h {
        for k in 1..w + 1 {
            let j = k - 1;
            y[[i, j]] += x[[i, j]] + 1.0;
        }
    }
}

#[kernel]
fn along_flat_rows(x: &Field<f32>, y: &mut Field<f32>, h: usize) {
    for i in 0..h {
        for j in 0..40 {
            y[40 * i + j] = 2.0 * x[40 * i + j] + 1.0;
        }
    }
}

/// The same down columns, which follow one another.
#[kernel]
fn down_columns(x: &Field<f32, 2>, y: &mut Field<f32, 2>) {
    let [h, w] = x.shape();
    for j in 0..w {
        for i in 0..h {
            y[[i, j]] = 2.0 * x[[i, j]] + 1.0;
        }
    }
}

#[test]
fn rows_that_iterations_have_of_their_own() {
    let plans = [
        (along_rows::plan(), false),
        (along_named_rows::plan(), false),
        (along_flat_rows::plan(), false),
        (down_columns::plan(), true),
    ];
    for (plan, lanes) in plans {
        let only = plan.loops()[0];
        let taken = only.techniques.iter().any(|t| matches!(t, Technique::Lanes { .. }));
        let told = only.remarks.iter().any(|r| r.text.contains("elements a row apart"));
        assert_eq!((taken, told), (lanes, !lanes), "{plan}");
    }
    versions(|version| {
        for [h, w] in [[0, 3], [1, 1], [3, 17], [17, 40], [40, 65]] {
            let device = &Device::cpu();
            let x = Field::from_fn(device, [h, w], |[i, j]| number(i * w + j)).unwrap();
            let twice = |k: usize| 2.0 * number(k) + 1.0;
            let mut y = Field::full(device, [h, w], -1.0_f32).unwrap();
            along_rows(&x, &mut y).unwrap();
            same(version, &values(&y), twice);
            along_named_rows(&x, &mut y).unwrap();
            same(version, &values(&y), |k| twice(k) + (number(k) + 1.0));
            down_columns(&x, &mut y).unwrap();
            same(version, &values(&y), twice);
            let (x, mut y) = (field(40 * h, number), field(40 * h, |_| -1.0));
            along_flat_rows(&x, &mut y, h).unwrap();
            same(version, &values(&y), twice);
        }
    });
}

/// Loops of so many rounds that no lane of a block may run them.
#[kernel]
fn endless(active: &Field<u8>, rounds: u64, out: &mut Field<f32>, counts: &mut Field<u32>) {
    for i in out.indices() {
        let mut k = 0u32;
        while k < 3 && rounds < 1000 {
            for _ in 0..rounds {
                k += 1;
            }
        }
        counts[i] = k;
        if active[i] == 0 {
            continue;
        }
        let mut a = 1.0;
        for _ in 0..rounds {
            a = a * 0.5 + 1.0;
        }
        out[i] = a;
    }
}

#[test]
fn loops_to_which_no_lane_comes_are_skipped() {
    versions(|version| {
        let mut out = Field::full(&Device::cpu(), 100, 7.0_f32).unwrap();
        let mut counts = Field::full(&Device::cpu(), 100, 9_u32).unwrap();
        let mut active = field(100, |_| 0_u8);
        endless(&active, u64::MAX, &mut out, &mut counts).unwrap();
        assert_eq!(out.to_vec().unwrap(), [7.0; 100], "{version}");
        assert_eq!(counts.to_vec().unwrap(), [0; 100], "{version}");
        active.fill(1).unwrap();
        endless(&active, 2, &mut out, &mut counts).unwrap();
        assert_eq!(out.to_vec().unwrap(), [1.75; 100], "{version}");
        assert_eq!(counts.to_vec().unwrap(), [4; 100], "{version}");
    });
}
