//! Sequential loops inside of parallel ones.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use swathe::Soa;
use swathe::prelude::*;

use super::support::{each, same, scatter, sources};

#[kernel]
fn collatz(x: &Field<i32>, out: &mut Field<u32>) {
    for i in out.indices() {
        let mut n = x[i] as i64;
        let mut steps = 0;
        while n != 1 && n > 0 {
            n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
            steps += 1;
        }
        out[i] = steps;
    }
}

#[kernel]
fn loop_values(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let mut k = 0;
        let root = loop {
            if (k + 1) * (k + 1) > x[i] {
                break k;
            }
            k += 1;
            if k % 2 == 1 {
                continue;
            }
            if k > 8 {
                break -k;
            }
        };
        loop {
            k += 3;
            if k > 20 {
                break;
            }
        }
        out[i] = root * 100 + k;
    }
}

#[kernel]
fn labels(x: &Field<i32>, out: &mut Field<i32>) {
    'element: for i in out.indices() {
        let mut count = 0;
        if x[i] < -80 {
            out[i] = -1;
            continue 'element;
        }
        'outer: for a in 1..20 {
            let mut b = 0;
            'middle: while b < 10 {
                b += 1;
                let mut c = 0;
                loop {
                    c += 1;
                    if c > 3 {
                        break;
                    }
                    if c == 2 && b % 3 == 0 {
                        continue 'middle;
                    }
                    if a * b + c == x[i] {
                        break 'outer;
                    }
                    if b > a {
                        continue 'outer;
                    }
                    if count > 150 {
                        out[i] = 1_000_000;
                        continue 'element;
                    }
                    count += 1;
                }
            }
        }
        out[i] = count;
    }
}

#[kernel]
fn labelled_blocks(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let class = 'found: {
            if x[i] < 0 {
                break 'found -1;
            }
            for k in 2..10 {
                if x[i] % k == 0 {
                    break 'found k;
                }
            }
            100
        };
        let mut r = class;
        'skip: {
            if class == 100 {
                break 'skip;
            }
            r += 1000;
        }
        let best = 'all: loop {
            let mut k = 0;
            loop {
                k += 1;
                if k * k >= x[i] {
                    break 'all k;
                }
            }
        };
        out[i] = r * 7 + best;
    }
}

#[kernel]
fn ranges(x: &Field<i32>, out: &mut Field<i64>) {
    for i in out.indices() {
        let v = x[i];
        let mut s: i64 = 0;
        for k in -3..v {
            s = s * 3 % 1009 + k as i64;
        }
        for k in -5..=v {
            s = s * 5 % 1009 + k as i64;
        }
        for k in (v..10).rev() {
            s = s * 7 % 1009 + k as i64;
        }
        for k in (v..=12).rev() {
            s = s * 11 % 1009 + k as i64;
        }
        for k in (-100..v).step_by(7) {
            s = s * 13 % 1009 + k as i64;
        }
        for k in (-100..=v).step_by(3) {
            s = s * 17 % 1009 + k as i64;
        }
        for k in (-90..v).rev().step_by(8) {
            s = s * 19 % 1009 + k as i64;
        }
        for k in (-90..=v).rev().step_by(i % 5 + 1) {
            s = s * 23 % 1009 + k as i64;
        }
        for _ in 5..v {
            s += 1;
        }
        for k in 10i32..-10 {
            s = k as i64;
        }
        out[i] = s;
    }
}

#[kernel]
fn unsigned_ranges(x: &Field<u64>, out: &mut Field<u64>) {
    for i in out.indices() {
        let v = x[i];
        let mut s = 1u64;
        for k in v..v + 5 {
            s = s * 3 % 1_000_003 + k % 10;
        }
        for k in 0..i % 7 {
            s = s * 5 % 1_000_003 + k as u64;
        }
        for k in (0..=i % 9).rev() {
            s = s * 7 % 1_000_003 + k as u64;
        }
        for k in (0..i).step_by(100) {
            s = s * 11 % 1_000_003 + k as u64;
        }
        for k in (v..v + 100).rev().step_by(33) {
            s = s * 13 % 1_000_003 + k % 17;
        }
        for k in (0u8..200).step_by(90) {
            s = s * 17 % 1_000_003 + k as u64;
        }
        for k in i..3 {
            s = s * 19 % 1_000_003 + k as u64;
        }
        out[i] = s;
    }
}

#[kernel]
fn to_the_maximum(x: &Field<i32>, out: &mut Field<i64>) {
    for i in out.indices() {
        let v = (x[i] & 3) as i64;
        let mut s = v;
        for k in i32::MAX - 2..=i32::MAX {
            s = s * 3 % 10_007 + k as i64 % 100;
        }
        for k in i64::MAX - v..=i64::MAX {
            s = s * 5 % 10_007 + k % 100;
        }
        for k in u64::MAX - 3..=u64::MAX {
            s = s * 7 % 10_007 + (k % 100) as i64;
        }
        for k in (usize::MAX - 1..=usize::MAX).rev() {
            s = s * 11 % 10_007 + (k % 100) as i64;
        }
        for k in (250u8..=255).step_by(2) {
            s = s * 13 % 10_007 + k as i64;
        }
        for k in (-128i8..=127).rev().step_by(50) {
            s = s * 17 % 10_007 + k as i64;
        }
        for k in (i32::MIN..=i32::MAX).step_by(1_000_000_000) {
            s = s * 19 % 10_007 + k as i64 % 100;
        }
        for k in (i64::MIN..=i64::MIN + 1).rev() {
            s = s * 23 % 10_007 + k % 100;
        }
        for _ in u32::MAX..=u32::MAX {
            s += 1;
        }
        out[i] = s;
    }
}

#[kernel]
fn bounds_are_evaluated_once(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let mut end = 5 + x[i] % 3;
        let mut s = 0;
        for k in 0..end {
            end += 100;
            s += k;
        }
        for k in (0..end).step_by((end - 3) as usize) {
            end = 0;
            s = s * 10 + k;
        }
        for k in 0..4 {
            let mut k = k * 2;
            k += 1;
            s += k;
        }
        out[i] = s;
    }
}

#[kernel]
fn nested_ndrange(x: &Field<i32>, out: &mut Field<i64>) {
    for i in out.indices() {
        let n = (x[i].rem_euclid(5)) as usize;
        let mut s: i64 = 0;
        for a in ndrange([n]) {
            s = s * 3 % 10_007 + a as i64;
        }
        for [a, b] in ndrange([n, 4]) {
            if b == 2 && a % 2 == 0 {
                continue;
            }
            s = s * 5 % 10_007 + (10 * a + b) as i64;
            if a == 3 && b == 3 {
                break;
            }
        }
        for [a, _, c] in ndrange([3, n, 2]) {
            s = s * 7 % 10_007 + (a + 2 * c) as i64;
        }
        for p in ndrange([2, n + 1, 3]) {
            let [a, b, c] = p;
            if p[1] == 3 {
                break;
            }
            s = s * 11 % 10_007 + (a * 100 + b * 10 + c) as i64;
        }
        'out: for [a, b] in ndrange([4, 3]) {
            for [c, d] in ndrange([2, n]) {
                if d == 1 {
                    continue 'out;
                }
                if a + c == 4 {
                    break 'out;
                }
                s = s * 13 % 10_007 + (a + b + c + d) as i64;
            }
        }
        out[i] = s;
    }
}

#[kernel]
fn nested_indices(table: &Field<i32, 2>, x: &Field<i32>, out: &mut Field<i64>) {
    for i in out.indices() {
        let mut s = 0i64;
        for [r, c] in table.indices() {
            if table[[r, c]] > x[i] {
                continue;
            }
            s += table[[r, c]] as i64 * (r + 1) as i64;
        }
        for k in x.indices() {
            if k > i {
                break;
            }
            s += x[k] as i64;
        }
        let [h, w] = table.shape();
        for [a, b] in ndrange([h, w]) {
            s += (a * b) as i64;
        }
        out[i] = s;
    }
}

/// Conditions that leave their own loop, or one around.
#[func]
fn left_by_condition(x: i32) -> i32 {
    let mut n = 0;
    'up: while {
        if n > x {
            break 'up;
        }
        n += 2;
        true
    } {
        n += 1;
    }
    let mut k = 0;
    'all: loop {
        'again: while {
            k += 1;
            if k % 3 == 1 {
                continue 'again;
            }
            if k > 40 {
                break 'all;
            }
            k < x
        } {
            n += k;
        }
        n += 1000;
        k += 5;
    }
    n
}

#[kernel]
fn conditions(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let mut steps = 0;
        'down: while {
            if steps * steps > x[i] {
                break 'down;
            }
            steps += 1;
            steps < 50
        } {
            if steps == 17 {
                continue 'down;
            }
            steps += 1;
        }
        out[i] = left_by_condition(x[i] % 60) * 100 + steps;
    }
}

/// Positions of several axes under one name: they index, are taken apart, and are left by labels.
#[kernel]
fn whole_positions(
    table: &Field<i32, 2>,
    solid: &Field<i64, 3>,
    around: &OffsetField<i64, 2>,
    one: &Field<i64, 0>,
    out: &mut Field<i64>,
) -> i64 {
    for i in out.indices() {
        let mut s = 0i64;
        'table: for p in table.indices() {
            for q in solid.indices() {
                let [a, b, c] = q;
                if c == 2 {
                    continue 'table;
                }
                s += solid[q] * (100 * a + 10 * b + c + p[0] * p[1]) as i64;
                if s > 100_000 {
                    break 'table;
                }
            }
            s += table[p] as i64 * (1 + p[0] + i) as i64;
        }
        for mut p in table.indices() {
            p[1] = 0;
            s += table[p] as i64;
        }
        for q in around.indices() {
            let [a, b] = q;
            s += around[q] * (3 * a - b) as i64;
        }
        for p in one.indices() {
            s += one[p];
        }
        for _ in table.indices() {
            s += 1;
        }
        out[i] = s;
    }
    let mut last = 0;
    for p in serial(table.indices()) {
        last = 7 * last % 1009 + table[p] as i64 + p[1] as i64;
    }
    last
}

#[kernel]
fn whole_of_views(table: ArrayView2<i32>, line: ArrayView1<i32>, out: &mut Field<i64>) {
    for i in out.indices() {
        let mut s = 0;
        for p in table.indices() {
            s += table[p] as i64 * (p[0] + 2 * p[1] + i) as i64;
        }
        for k in line.indices() {
            s += line[k] as i64 * k as i64;
        }
        out[i] = s;
    }
}

fn check_whole(device: &Device, h: usize, w: usize) {
    let of_table = |i: usize, j: usize| scatter(i * w + j) % 50;
    let table = Field::from_fn(device, [h, w], |[i, j]| of_table(i, j)).unwrap();
    let of_solid = |[a, b, c]: [usize; 3]| (5 * a + 3 * b + c) as i64 - 4;
    let solid = Field::from_fn(device, [2, w, 4], of_solid)
        .unwrap()
        .with_layout(Soa)
        .unwrap();
    let of_around = |a: isize, b: isize| (7 * a - 2 * b) as i64;
    let around = Field::from_fn(device, [3, w], |[i, j]| of_around(i as isize - 1, j as isize + 5)).unwrap();
    let around = around.with_origin([-1, 5]).unwrap();
    let one = Field::full(device, [], 13).unwrap();
    let mut out = Field::zeros(device, 5).unwrap();
    let last = whole_positions(&table, &solid, &around, &one, &mut out).unwrap();
    let of = |i: usize| {
        let mut s = 0;
        'table: for p in swathe::ndrange([h, w]) {
            for q in swathe::ndrange([2, w, 4]) {
                if q[2] == 2 {
                    continue 'table;
                }
                s += of_solid(q) * (100 * q[0] + 10 * q[1] + q[2] + p[0] * p[1]) as i64;
                if s > 100_000 {
                    break 'table;
                }
            }
            s += i64::from(of_table(p[0], p[1])) * (1 + p[0] + i) as i64;
        }
        for [j, _] in swathe::ndrange([h, w]) {
            s += i64::from(of_table(j, 0));
        }
        for [a, b] in swathe::ndrange([3, w]) {
            let (a, b) = (a as isize - 1, b as isize + 5);
            s += of_around(a, b) * (3 * a - b) as i64;
        }
        s + 13 + (h * w) as i64
    };
    same("whole_positions", &out, (0..5).map(of).collect());
    let expected =
        swathe::ndrange([h, w]).fold(0, |last, [i, j]| 7 * last % 1009 + i64::from(of_table(i, j)) + j as i64);
    assert_eq!(last, expected, "{h} x {w}");

    let columns = Array2::from_shape_fn((w, h), |(j, i)| of_table(i, j));
    let line = Array1::from_shape_fn(w, scatter);
    whole_of_views(columns.t(), line.view(), &mut out).unwrap();
    let of = |i: usize| {
        let rows = swathe::ndrange([h, w]).map(|[a, b]| i64::from(of_table(a, b)) * (a + 2 * b + i) as i64);
        rows.sum::<i64>() + (0..w).map(|k| i64::from(scatter(k)) * k as i64).sum::<i64>()
    };
    same("whole_of_views", &out, (0..5).map(of).collect());
}

/// Ends and starts by operators that bind less than a comparison and a difference, of loops that run through an array and of others.
#[kernel]
fn ends_by_operators(table: &Field<u32>, out: &mut Field<u32>, counts: &mut Field<u32>) {
    for i in out.indices() {
        let x = i as u32;
        let mut s = 0_u32;
        for k in 0..x & 7 {
            s = s.wrapping_mul(3).wrapping_add(table[k as usize]);
        }
        for k in x & 1..x % 5 | 2 {
            s = s.wrapping_mul(5).wrapping_add(table[k as usize]);
        }
        for k in 0..(x ^ 3) & 15 {
            counts[k as usize].atomic_add(1);
        }
        for k in 0..1 << (x & 3) {
            s = s.wrapping_add(table[k] * 2);
        }
        for k in (0..=x & 6).rev() {
            s = s.wrapping_mul(7).wrapping_add(k);
        }
        for k in 0..=(x | 1) & 5 {
            s = s.wrapping_mul(11).wrapping_add(k);
        }
        for k in (x & 2..x & 7 | 8).step_by(3) {
            s = s.wrapping_mul(13).wrapping_add(k);
        }
        for k in x - (x & 3)..x + 2 {
            s = s.wrapping_add(table[k as usize % 20]);
        }
        out[i] = s;
    }
}

fn check_ends(device: &Device) {
    for n in [1, 3, 17, 1000] {
        let value = |k: u32| (k * 7 + 1) % 23;
        let table = Field::from_fn(device, 20, |[k]| value(k as u32)).unwrap();
        let (mut out, mut counts) = (Field::full(device, n, 0).unwrap(), Field::full(device, 16, 0).unwrap());
        ends_by_operators(&table, &mut out, &mut counts).unwrap();
        let mut expected = [0; 16];
        for (i, got) in out.to_vec().unwrap().into_iter().enumerate() {
            let x = i as u32;
            let fold = |range: &mut dyn Iterator<Item = u32>, s: u32, by: u32, f: &dyn Fn(u32) -> u32| {
                range.fold(s, |s, k| s.wrapping_mul(by).wrapping_add(f(k)))
            };
            let mut s = fold(&mut (0..(x & 7)), 0, 3, &value);
            s = fold(&mut ((x & 1)..((x % 5) | 2)), s, 5, &value);
            (0..((x ^ 3) & 15)).for_each(|k| expected[k as usize] += 1);
            s = fold(&mut (0..(1 << (x & 3))), s, 1, &|k| value(k) * 2);
            s = fold(&mut (0..=(x & 6)).rev(), s, 7, &|k| k);
            s = fold(&mut (0..=((x | 1) & 5)), s, 11, &|k| k);
            s = fold(&mut ((x & 2)..((x & 7) | 8)).step_by(3), s, 13, &|k| k);
            s = fold(&mut ((x - (x & 3))..(x + 2)), s, 1, &|k| value(k % 20));
            assert_eq!(got, s, "{i} of {n}");
        }
        assert_eq!(counts.to_vec().unwrap(), expected, "{n}");
    }
}

pub fn check(device: &Device) {
    check_ends(device);
    for [h, w] in super::support::SHAPES {
        check_whole(device, h, w);
    }
    each!(device, conditions, scatter, |_, x| {
        let mut steps = 0;
        while steps * steps <= x {
            steps += 1;
            if steps >= 50 {
                break;
            }
            if steps != 17 {
                steps += 1;
            }
        }
        left_by_condition(x % 60) * 100 + steps
    });
    each!(device, collatz, scatter, |_, x| {
        let next = |n: &i64| (*n != 1).then(|| if n % 2 == 0 { n / 2 } else { 3 * n + 1 });
        if x > 0 {
            std::iter::successors(Some(i64::from(x)), next).count() as u32 - 1
        } else {
            0
        }
    });
    each!(device, loop_values, scatter, |_, x| {
        let root = (0..).find(|k| (k + 1) * (k + 1) > x).unwrap();
        let mut k = root.min(10);
        let root = if root >= 10 { -10 } else { root };
        while k <= 20 {
            k += 3;
        }
        root * 100 + k
    });
    each!(device, labels, scatter, |_, x| counted(x));
    each!(device, labelled_blocks, scatter, |_, x| {
        let class = if x < 0 {
            -1
        } else {
            (2..10).find(|k| x % k == 0).unwrap_or(100)
        };
        let best = (1..).find(|k| k * k >= x).unwrap();
        7 * (class + if class == 100 { 0 } else { 1000 }) + best
    });
    each!(device, ranges, scatter, |i, v| {
        let fold =
            |s: i64, m: i64, values: &mut dyn Iterator<Item = i32>| values.fold(s, |s, k| s * m % 1009 + i64::from(k));
        let mut s = 0;
        s = fold(s, 3, &mut (-3..v));
        s = fold(s, 5, &mut (-5..=v));
        s = fold(s, 7, &mut (v..10).rev());
        s = fold(s, 11, &mut (v..=12).rev());
        s = fold(s, 13, &mut (-100..v).step_by(7));
        s = fold(s, 17, &mut (-100..=v).step_by(3));
        s = fold(s, 19, &mut (-90..v).rev().step_by(8));
        s = fold(s, 23, &mut (-90..=v).rev().step_by(i % 5 + 1));
        s + i64::from((v - 5).max(0))
    });
    each!(device, unsigned_ranges, |i| (i as u64) << 40, |i, v| {
        let fold = |s: u64, m: u64, values: &mut dyn Iterator<Item = u64>| values.fold(s, |s, k| s * m % 1_000_003 + k);
        let mut s = 1;
        s = fold(s, 3, &mut (v..v + 5).map(|k| k % 10));
        s = fold(s, 5, &mut (0..i as u64 % 7));
        s = fold(s, 7, &mut (0..=i as u64 % 9).rev());
        s = fold(s, 11, &mut (0..i as u64).step_by(100));
        s = fold(s, 13, &mut [v + 99, v + 66, v + 33, v].map(|k| k % 17).into_iter());
        s = fold(s, 17, &mut [0, 90, 180].into_iter());
        fold(s, 19, &mut (i as u64..3))
    });
    each!(device, to_the_maximum, scatter, |_, x| {
        let v = i64::from(x & 3);
        let mut s = v;
        let mut add = |m: i64, values: &[i64]| values.iter().for_each(|k| s = s * m % 10_007 + k);
        add(3, &[45, 46, 47]);
        add(5, &[4, 5, 6, 7][3 - v as usize..]);
        add(7, &[12, 13, 14, 15]);
        add(11, &[15, 14]);
        add(13, &[250, 252, 254]);
        add(17, &[127, 77, 27, -23, -73, -123]);
        add(19, &[-48, -48, -48, 52, 52]);
        add(23, &[-7, -8]);
        s + 1
    });
    each!(device, bounds_are_evaluated_once, scatter, |_, x| {
        let end = 5 + x % 3;
        let mut s: i32 = (0..end).sum();
        let end = end + 100 * end;
        for k in [0, end - 3] {
            s = s * 10 + k;
        }
        s + 1 + 3 + 5 + 7
    });
    each!(device, nested_ndrange, scatter, |_, x| walked(x.rem_euclid(5) as usize));
    for [h, w] in super::support::SHAPES {
        let table = Field::from_fn(device, [h, w], |[r, c]| scatter(r * 40 + c)).unwrap();
        each!(
            device,
            |x: &_, out: &mut _| nested_indices(&table, x, out),
            scatter,
            |i, x| {
                let below: i64 = (0..h)
                    .flat_map(|r| (0..w).map(move |c| (r, scatter(r * 40 + c))))
                    .filter(|(_, t)| *t <= x)
                    .map(|(r, t)| (r as i64 + 1) * i64::from(t))
                    .sum();
                let products = (h * h.saturating_sub(1) / 2) * (w * w.saturating_sub(1) / 2);
                below + (0..=i).map(|k| i64::from(scatter(k))).sum::<i64>() + products as i64
            }
        );
    }
}

/// What [`labels`] computes, with functions in the place of labels.
fn counted(x: i32) -> i32 {
    enum Next {
        Middle,
        Outer,
        Done,
        Element,
        Through,
    }
    fn inner(a: i32, b: i32, x: i32, count: &mut i32) -> Next {
        for c in 1..=3 {
            match () {
                () if c == 2 && b % 3 == 0 => return Next::Middle,
                () if a * b + c == x => return Next::Done,
                () if b > a => return Next::Outer,
                () if *count > 150 => return Next::Element,
                () => *count += 1,
            }
        }
        Next::Through
    }
    if x < -80 {
        return -1;
    }
    let mut count = 0;
    for a in 1..20 {
        for b in 1..=10 {
            match inner(a, b, x, &mut count) {
                Next::Middle | Next::Through => {}
                Next::Outer => break,
                Next::Done => return count,
                Next::Element => return 1_000_000,
            }
        }
    }
    count
}

/// What [`nested_ndrange`] computes, from lists of positions.
fn walked(n: usize) -> i64 {
    let list = |a: usize, b: usize, c: usize| -> Vec<[usize; 3]> { ndrange([a, b, c]).collect() };
    let mut s = 0;
    let mut add = |m: i64, k: usize| s = s * m % 10_007 + k as i64;
    for a in 0..n {
        add(3, a);
    }
    let mut done = false;
    for [_, a, b] in list(1, n, 4) {
        if !done && !(b == 2 && a % 2 == 0) {
            add(5, 10 * a + b);
            done = (a, b) == (3, 3);
        }
    }
    for [a, _, c] in list(3, n, 2) {
        add(7, a + 2 * c);
    }
    for [a, b, c] in list(2, n + 1, 3).into_iter().take_while(|p| p[1] != 3) {
        add(11, 100 * a + 10 * b + c);
    }
    let mut stopped = false;
    for [_, a, b] in list(1, 4, 3) {
        for [_, c, d] in list(1, 2, n) {
            if d == 1 {
                break;
            }
            stopped |= a + c == 4;
            if !stopped {
                add(13, a + b + c + d);
            }
        }
    }
    s
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        ends_by_operators,
        collatz,
        loop_values,
        labels,
        labelled_blocks,
        ranges,
        unsigned_ranges,
        to_the_maximum,
        bounds_are_evaluated_once,
        nested_ndrange,
        nested_indices,
        conditions,
        whole_positions,
        whole_of_views
    ]
}
