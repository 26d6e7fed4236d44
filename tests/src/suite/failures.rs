//! Accesses out of bounds, and what panics on the CPU.

use std::collections::HashSet;

use swathe::prelude::*;

use super::support::{OF_BOTH, OF_HERE, ended, field, kernel_of_both, kernel_of_here, kernel_of_there, same, sources};

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Cell {
    a: i32,
    b: [i32; 2],
}

/// Line of [`gather`], which the messages name lines relative to.
const GATHER: u32 = line!() + 2;
#[kernel]
fn gather(x: &Field<i32>, from: &Field<u32>, out: &mut Field<i32>) {
    for i in out.indices() {
        out[i] = -2;
        let v = x[from[i] as usize];
        out[i] = v;
    }
}

const STENCIL: u32 = line!() + 2;
#[kernel]
fn stencil(u: &Field<i32, 2>, out: &mut Field<Cell, 2>, di: usize, dj: usize) {
    for [i, j] in out.indices() {
        out[[i, j]].a = 1;
        out[[i, j]].b[1] += u[[i + di, j + dj]];
        out[[i, j]].b[0] = 2;
    }
}

#[kernel]
fn scatter(to: &Field<u32>, out: &mut Field<i32>) {
    for i in to.indices() {
        let old = out[to[i] as usize].atomic_add(1);
        out[old as usize * 0].atomic_max(7);
    }
}

/// The first loop fails in places; the second one runs nevertheless, or not at all: it changes nothing that the test looks at.
#[kernel]
fn reduce(x: &Field<i32>, from: &Field<u32>) -> i32 {
    let mut sum = 0;
    for i in from.indices() {
        sum += x[from[i] as usize];
    }
    sum
}

const TOP: u32 = line!() + 2;
#[kernel]
fn top_level(x: &mut Field<i32>, at: usize) -> i32 {
    x[0] = 5;
    x[at] = 6;
    for i in x.indices() {
        x[i] += 1;
    }
    x[0]
}

#[kernel]
fn longer(x: &Field<i32>, y: &mut Field<i32>) {
    for i in y.indices() {
        y[i] = x[i] + 1;
    }
}

#[kernel]
fn to_n(y: &mut Field<i32>, n: usize) {
    for i in 0..n {
        y[i] = i as i32;
    }
}

/// `&&` and `||` decide whether an access happens at all.
#[kernel]
fn guarded(x: &Field<i32>, from: &Field<u32>, out: &mut Field<i32>) {
    let n = x.len();
    for i in out.indices() {
        let k = from[i] as usize;
        if k < n && x[k] > 0 {
            out[i] = x[k];
        } else if k >= n || x[k] == 0 {
            out[i] = -1;
        }
    }
}

#[kernel]
fn negative(x: &Field<i32>, shift: i32, out: &mut Field<i32>) {
    for i in out.indices() {
        out[i] = x[(i as i32 - shift) as usize];
    }
}

#[kernel]
fn divide(a: i32, b: i32, rem: bool, out: &mut Field<i32>) {
    for i in out.indices() {
        out[i] = if rem { a % b } else { a / b };
    }
}

/// The quotients are the same for all iterations.
#[kernel]
fn divide_first(a: i32, b: i32, out: &mut Field<i32>) -> i32 {
    let (rem, div) = (a.rem_euclid(b), i32::div_euclid(a, b));
    let mut sum = rem;
    for i in out.indices() {
        out[i] += rem * 10 + div;
        sum += 1;
    }
    sum
}

#[kernel]
fn loops_after(step: usize, half: usize, out: &mut Field<i32>) {
    for i in (0..out.len()).step_by(step) {
        out[i] += 100;
    }
    for [i, _] in ndrange([half, half]) {
        out[i % 3].atomic_add(1000);
    }
    for i in out.indices() {
        out[i] += 10_000;
    }
}

#[kernel]
fn index_array(k: usize, out: &mut Field<i32>) {
    for i in out.indices() {
        let a = [1, 2, 3];
        out[i] = a[k];
    }
}

#[kernel]
fn overflow(a: i32, out: &mut Field<i32>) {
    for i in out.indices() {
        out[i] = a + i as i32;
    }
}

#[kernel]
fn shift(by: u32, out: &mut Field<i32>) {
    for i in out.indices() {
        out[i] = 1 << by;
    }
}

#[kernel]
fn wrapping(a: &Field<i32>, out: &mut Field<[i32; 4]>) {
    for i in out.indices() {
        out[i] = [
            a[i].wrapping_add(7),
            a[i].wrapping_mul(3),
            a[i].wrapping_neg(),
            a[i].wrapping_sub(9),
        ];
    }
}

#[kernel]
fn too_many(a: usize, b: usize) -> u64 {
    let mut count = 0;
    for [_, j] in ndrange([a, b]) {
        if j < 1 {
            count += 1;
        }
    }
    count
}

#[kernel]
fn too_many_of_three(a: usize, b: usize, c: usize) -> u64 {
    let mut count = 0;
    for [i, j, k] in ndrange([a, b, c]) {
        if i + j + k < 1 {
            count += 1;
        }
    }
    count
}

/// The same for a loop that needs no positions.
#[kernel]
fn too_many_unnamed(a: usize, b: usize, out: &mut Field<i32>) {
    for _ in ndrange([a, b]) {
        out[0].atomic_add(1);
    }
}

/// And for more axes than a grid has.
#[kernel]
fn too_many_leading(a: usize, b: usize, out: &mut Field<i32>) {
    for [_, i, _, _] in ndrange([a, b, 1, 2]) {
        out[i % 3].atomic_add(1);
    }
}

const ENDS: u32 = line!() + 5;

/// Ends that a difference below zero wraps to.
#[kernel]
fn differences(n: usize, x: &Field<i32>, out: &mut Field<i32>) {
    for i in 0..n {
        out[i] = x[i + 1] - x[i];
    }
    for i in out.indices() {
        out[i] += 100;
    }
}

#[kernel]
fn sum_between(from: &Field<u64>, to: &Field<u64>, x: &Field<i32>) -> i32 {
    let mut sum = 0;
    for i in from[0]..=to[0] {
        sum += x[i as usize];
    }
    sum
}

#[kernel]
fn signed_between(from: i64, to: i64, step: usize, out: &mut Field<i32>) {
    for i in (from..to).step_by(step) {
        out[(i % 2).unsigned_abs() as usize].atomic_add(1);
    }
}

#[kernel]
fn some_between(from: usize, to: usize, out: &mut Field<i32>) {
    for i in from..to {
        out[i % 3].atomic_add(i as i32);
    }
}

#[kernel]
fn rows_between(of: [usize; 2], out: &mut Field<i32>) {
    for [i, j] in ndrange([of[0], of[1]]) {
        out[(i + j) % 3].atomic_add(1);
    }
}

#[kernel]
fn lines_between(from: usize, to: usize, out: &mut Field<i32>) {
    for [i] in ndrange([from..to]) {
        out[i % 3].atomic_add(1);
    }
}

/// Of few positions that are far from one another.
#[kernel]
fn far_apart(out: &mut Field<i32>) -> u64 {
    let mut sum = 0;
    for i in (0..=usize::MAX).step_by(1 << 60) {
        sum += (i >> 60) as u64;
    }
    for i in usize::MAX - 5..usize::MAX {
        out[i % 3].atomic_add(1);
    }
    sum
}

#[kernel]
fn zero_step(out: &mut Field<i32>, step: usize) {
    let n = out.len();
    for i in (0..n).step_by(step) {
        out[i] = 1;
    }
}

const STEPS: u32 = line!() + 4;

/// A loop inside of each iteration, in its own steps.
#[kernel]
fn steps(by: &Field<u32>, out: &mut Field<u32>) {
    for i in out.indices() {
        out[i] = 1;
        let mut sum = 0;
        for k in (0..i as u32 + 5).step_by(by[i] as usize) {
            sum += k;
        }
        out[i] += sum;
    }
}

/// The same steps in all iterations, which then run in lanes.
#[kernel]
fn equal_steps(x: &Field<f32>, by: usize, out: &mut Field<f32>) {
    let rounds = x.len().min(10);
    for i in out.indices() {
        out[i] = 1.0;
        let mut sum = x[i];
        for _ in (0..rounds).rev().step_by(by) {
            sum = sum * 0.5 + x[i];
        }
        out[i] = sum;
    }
}

#[func]
fn in_steps(n: u32, by: usize) -> u32 {
    let mut sum = 0;
    for k in (0..n).step_by(by) {
        sum += k;
    }
    sum
}

#[kernel]
fn steps_of_function(by: &Field<u32>, out: &mut Field<u32>) {
    for i in out.indices() {
        out[i] = 1;
        out[i] += in_steps(i as u32 + 5, by[i] as usize);
    }
}

#[kernel]
fn steps_in_front(by: usize, out: &mut Field<u32>) {
    out[0] = 2;
    for k in serial((0..3).step_by(by)) {
        out[k] += 1;
    }
    out[1] = 3;
}

const TURNED: u32 = line!() + 7;

#[kernel]
fn turned_steps(by: &Field<u32>, out: &mut Field<u32>) {
    for i in out.indices() {
        out[i] = 1;
        let mut sum = 0u32;
        for k in (0..i as u32 + 5).step_by(by[i] as usize).rev() {
            sum = sum.wrapping_mul(3).wrapping_add(k);
        }
        out[i] = out[i].wrapping_add(sum);
    }
}

/// What a failure by a kernel's own word says: message, line, column, count.
fn failure<T: std::fmt::Debug>(device: &Device, result: swathe::Result<T>) -> (String, u32, u32, usize) {
    match ended(device, result).unwrap_err() {
        Error::KernelFailure {
            message,
            file,
            line,
            column,
            count,
            ..
        } => {
            assert_eq!(file, file!());
            (message, line, column, count)
        }
        other => panic!("{other}"),
    }
}

fn check_steps(device: &Device) {
    let text = || "the step of a loop is zero".to_owned();
    for n in [1_usize, 3, 17, 1000] {
        let by = |i: usize| (i % 4) as u32;
        let failed = n.div_ceil(4);
        let steps_by = Field::from_fn(device, n, |[i]| by(i)).unwrap();
        let expected: Vec<u32> = (0..n)
            .map(|i| match by(i) {
                0 => 1,
                by => 1 + (0..i as u32 + 5).step_by(by as usize).sum::<u32>(),
            })
            .collect();
        let mut out = Field::zeros(device, n).unwrap();
        let got = failure(device, steps(&steps_by, &mut out));
        assert_eq!(got, (text(), STEPS + 4, 44, failed), "{n}");
        same("steps", &out, expected.clone());
        let mut out = Field::zeros(device, n).unwrap();
        let got = failure(device, steps_of_function(&steps_by, &mut out));
        assert_eq!(got, (text(), STEPS + 28, 29, failed), "{n}");
        same("steps_of_function", &out, expected);
        let mut out = Field::zeros(device, n).unwrap();
        let got = failure(device, turned_steps(&steps_by, &mut out));
        assert_eq!(got, (text(), TURNED, 44, failed), "{n}");
        let folded = |k: u32, by| {
            (0..k)
                .step_by(by)
                .rev()
                .fold(0, |sum: u32, k| sum.wrapping_mul(3).wrapping_add(k))
        };
        let turned = (0..n).map(|i| match by(i) {
            0 => 1,
            by => folded(i as u32 + 5, by as usize).wrapping_add(1),
        });
        same("turned_steps", &out, turned.collect());
        let x = Field::from_fn(device, n, |[i]| i as f32).unwrap();
        let mut out = Field::zeros(device, n).unwrap();
        let got = failure(device, equal_steps(&x, 0, &mut out));
        assert_eq!(got, (text(), STEPS + 18, 44, n), "{n}");
        same("equal_steps", &out, vec![1.0; n]);
        equal_steps(&x, 4, &mut out).unwrap();
        let rounds = n.min(10).div_ceil(4);
        let expected = (0..n).map(|i| (0..rounds).fold(i as f32, |sum, _| sum * 0.5 + i as f32));
        same("equal_steps", &out, expected.collect());
    }
    let mut out = Field::zeros(device, 3).unwrap();
    assert_eq!(
        failure(device, steps_in_front(0, &mut out)),
        (text(), STEPS + 45, 36, 1)
    );
    same("steps_in_front", &out, vec![2, 0, 0]);
    let mut out = Field::zeros(device, 3).unwrap();
    let got = failure(device, zero_step(&mut out, 0));
    assert_eq!((got.0, got.3), (text(), 1));
    same("zero_step", &out, vec![0; 3]);
}

/// Products of extents that wrap.
fn check_products(device: &Device) {
    let half = 1 << 32;
    let mut out = Field::zeros(device, 3).unwrap();
    let refused = |extents: &[usize], result: swathe::Result<()>| {
        let (message, line, _, count) = failure(device, result);
        let of = format!("a loop over `ndrange({extents:?})` has more than 2^56 positions");
        assert!(message.starts_with(&of), "{message}");
        assert!(line > GATHER && count == 1, "{line}, {count}");
    };
    for [a, b] in [[half, half], [half + 2, half], [2, 1 << 63], [usize::MAX, usize::MAX]] {
        refused(&[a, b], too_many(a, b).map(|_| ()));
    }
    for [a, b, c] in [[half, 1 << 31, 2], [usize::MAX, 1, 2], [3, half, half], [half, half, 1]] {
        refused(&[a, b, c], too_many_of_three(a, b, c).map(|_| ()));
    }
    refused(&[half, half], too_many_unnamed(half, half, &mut out));
    refused(&[half, half, 1, 2], too_many_leading(half, half, &mut out));
    refused(&[1 << 62, 2, 1, 2], too_many_leading(1 << 62, 2, &mut out));
    same("too_many", &out, vec![0; 3]);
}

/// Loops that nothing would end, for instance because an end has wrapped.
fn check_ends(device: &Device) {
    const LAST: usize = usize::MAX;
    let text = |of: &str| {
        format!(
            "a loop over {of} has more than 2^56 positions, more than any memory has bytes; a difference below zero wraps around, \
             where `a.saturating_sub(b)` is zero"
        )
    };
    let (x, mut out) = (Field::full(device, 3, 7).unwrap(), Field::full(device, 3, 1).unwrap());
    for n in [LAST, LAST - 1, (1 << 56) + 1] {
        let got = failure(device, differences(n, &x, &mut out));
        assert_eq!(got, (text(&format!("0..{n}")), ENDS, 14, 1));
    }
    for (from, to) in [(1, u64::MAX), (0, u64::MAX), (5, (1 << 56) + 5)] {
        let ends = [from, to].map(|end| Field::full(device, 1, end).unwrap());
        let got = failure(device, sum_between(&ends[0], &ends[1], &x));
        assert_eq!(got, (text(&format!("{from}..={to}")), ENDS + 11, 14, 1));
    }
    for (from, to, step) in [(i64::MIN, i64::MAX, 1), (-7, i64::MAX, 1), (i64::MIN, -1, 127)] {
        let got = failure(device, signed_between(from, to, step, &mut out));
        assert_eq!(got, (text(&format!("{from}..{to}")), ENDS + 19, 15, 1));
    }
    let got = failure(device, some_between(3, LAST, &mut out));
    assert_eq!(got, (text(&format!("3..{LAST}")), ENDS + 26, 14, 1));
    for of in [
        [LAST, 1],
        [3, LAST],
        [LAST, LAST],
        [1 << 60, 1 << 60],
        [(1 << 56) + 1, 2],
    ] {
        let got = failure(device, rows_between(of, &mut out));
        assert_eq!(got, (text(&format!("`ndrange({of:?})`")), ENDS + 33, 28, 1));
    }
    let got = failure(device, lines_between(2, LAST, &mut out));
    assert_eq!((got.0, got.3), (text(&format!("`ndrange([{}])`", LAST - 2)), 1));
    // Nothing was written there, and the loop behind that of `differences` has run three times.
    same("ends", &out, vec![301; 3]);

    differences(2, &x, &mut out).unwrap();
    same("differences", &out, vec![100, 100, 401]);
    let ends = [1, 2].map(|end| Field::full(device, 1, end).unwrap());
    assert_eq!(sum_between(&ends[0], &ends[1], &x).unwrap(), 14);
    let mut out = Field::zeros(device, 3).unwrap();
    signed_between(i64::MIN, i64::MAX, 1 << 61, &mut out).unwrap();
    signed_between(3, -3, 1, &mut out).unwrap();
    some_between(1, 5, &mut out).unwrap();
    some_between(LAST, 3, &mut out).unwrap();
    rows_between([LAST, 0], &mut out).unwrap();
    rows_between([2, 1], &mut out).unwrap();
    lines_between(LAST, 0, &mut out).unwrap();
    lines_between(LAST - 1, LAST, &mut out).unwrap();
    let mut expected = vec![8 + 3 + 1, 1 + 4 + 1, 2];
    expected[(LAST - 1) % 3] += 1;
    same("ends", &out, expected.clone());
    assert_eq!(far_apart(&mut out).unwrap(), (0..16).sum());
    (LAST - 5..LAST).for_each(|i| expected[i % 3] += 1);
    same("far_apart", &out, expected);
}

/// Neighbours fail at different places, in different rounds of a loop, or not at all.
#[kernel]
fn parted(x: &Field<u32>, most: u32, out: &mut Field<u32>) {
    for i in out.indices() {
        let mut left = x[i];
        while left > 0 {
            if (i as u32 + left) % 3 == 0 {
                assert!(left < most, "{left} is too much for {i}");
            } else if left % 4 == 1 {
                out[i] += x[(left * (left / most)) as usize * x.len()];
            } else if left % 5 == 2 {
                let by = if left > most { 0 } else { 1 };
                out[i] += 100 / by;
            }
            left -= 1;
        }
        out[i] += 1;
    }
}

/// Where an iteration of [`parted`] fails: the place in the text, and what tells failures at one place apart.
fn parted_at(i: u32, x: u32, most: u32, len: usize) -> Option<(u32, [u64; 2])> {
    (1..=x).rev().find_map(|left| {
        if (i + left) % 3 == 0 {
            return (left >= most).then_some((0, [left.into(), i.into()]));
        }
        if left % 4 == 1 {
            let at = (left * (left / most)) as usize * len;
            return (at >= len).then_some((1, [at as u64, 0]));
        }
        (left % 5 == 2 && left > most).then_some((2, [0; 2]))
    })
}

/// What an error out of bounds says: kernel, file, line, column, field, index, shape, count.
#[derive(Debug, PartialEq)]
struct Said(
    &'static str,
    bool,
    u32,
    u32,
    &'static str,
    Vec<usize>,
    Vec<usize>,
    usize,
);

fn said<T: std::fmt::Debug>(device: &Device, result: swathe::Result<T>) -> Said {
    match ended(device, result).unwrap_err() {
        Error::OutOfBounds {
            kernel,
            file,
            line,
            column,
            field,
            index,
            shape,
            count,
        } => Said(
            kernel,
            file == file!(),
            line,
            column,
            field,
            index.into(),
            shape.into(),
            count,
        ),
        other => panic!("{other}"),
    }
}

/// The divisor is computed in more bits than it has, and what the dividend does is done before a division fails.
#[kernel]
fn of_small(a: &Field<u8>, b: &Field<u8>, out: &mut Field<u8>, done: &mut Field<u32>) {
    for i in out.indices() {
        out[i] = a[i].rem_euclid(!b[i]);
        out[i] ^= (done[0].atomic_add(1) * 0 + a[i] as u32).div_ceil(b[i] as u32) as u8;
    }
}

/// What an array or matrix does is done before its index turns out to be out of bounds.
#[kernel]
fn of_items(k: &Field<u32>, out: &mut Field<u32>, done: &mut Field<u32>) {
    for i in out.indices() {
        out[i] = [done[0].atomic_add(1) * 0 + 5, 6, 7][k[i] as usize];
        let m = Matrix::<u32, 2, 2>::from_array([[done[1].atomic_add(1) * 0 + 1, 2], [3, 4]]);
        out[i] += m[[k[i] as usize, 1]] + of_pair(done[2].atomic_add(1) * 0 + 8)[k[i] as usize];
    }
}

#[func]
fn of_pair(x: u32) -> [u32; 2] {
    [x, x + 1]
}

/// A number that fails before any loop, which only the second one uses.
#[kernel]
fn fails_in_front(v: Vec3, x: &mut Field<f32>, y: &mut Field<f32>) {
    let beyond = v[3];
    for i in x.indices() {
        x[i] = 1.0;
    }
    for i in y.indices() {
        y[i] = beyond;
    }
}

pub fn check(device: &Device) {
    check_files(device);
    check_files_of_plans();
    for n in [1, 3, 17, 1000] {
        check_gather(device, n);
    }
    check_stencil(device);
    check_others(device);
    check_top_level(device);
    let a = super::support::field(device, &[i32::MAX, i32::MIN, 0]);
    let mut out = Field::zeros(device, 3).unwrap();
    wrapping(&a, &mut out).unwrap();
    let expected = [
        [i32::MIN + 6, i32::MAX - 2, -i32::MAX, i32::MAX - 9],
        [i32::MIN + 7, i32::MIN, i32::MIN, i32::MAX - 8],
        [7, 0, 0, -9],
    ];
    same("wrapping", &out, expected.to_vec());
    if device.is_cpu() {
        check_panics(device);
    }
    check_phases(device);
    check_steps(device);
    check_ends(device);
    check_products(device);
    check_names(device);
    check_parts(device);
    check_of_small(device);
    check_of_items(device);
    check_in_front(device);
}

fn check_of_small(device: &Device) {
    for n in [1, 3, 17, 1000] {
        // Neither fails, the first division does, the second does.
        let b: Vec<u8> = (0..n).map(|i| [7, 255, 0, 1, 254][i * 31 % 5]).collect();
        let a: Vec<u8> = (0..n).map(|i| (i * 7919 % 251) as u8).collect();
        let mut out = field(device, &vec![9_u8; n]);
        let mut done = field(device, &[0_u32]);
        let result = ended(
            device,
            of_small(&field(device, &a), &field(device, &b), &mut out, &mut done),
        );
        let failed = b.iter().filter(|b| matches!(b, 0 | 255)).count();
        match result {
            Err(Error::KernelFailure { message, count, .. }) => {
                assert!(
                    message.contains("divisor of zero") || message.contains("divide by zero"),
                    "{message}"
                );
                assert_eq!(count, failed, "{n} elements");
            }
            result => assert_eq!((result, failed), (Ok(()), 0), "{n} elements"),
        }
        let expected = a.iter().zip(&b).map(|(a, b)| match b {
            0 => a % 255,
            255 => 9,
            b => (a % !b) ^ a.div_ceil(*b),
        });
        same("of_small", &out, expected.collect());
        let second = b.iter().filter(|b| **b != 255).count();
        same("of_small", &done, vec![second as u32]);
    }
}

fn check_of_items(device: &Device) {
    for n in [1, 3, 17, 1000] {
        let k: Vec<u32> = (0..n).map(|i| [0, 2, 1, 3][i * 7 % 4]).collect();
        let (mut out, mut done) = (field(device, &vec![9_u32; n]), field(device, &[0_u32; 3]));
        let result = ended(device, of_items(&field(device, &k), &mut out, &mut done));
        assert_eq!(result.is_err(), k.iter().any(|k| *k > 1), "{n} elements");
        if device.is_cpu() && result.is_err() {
            // A panic ends the iterations behind it, too.
            continue;
        }
        let expected = k.iter().map(|k| match k {
            0 => 5 + 2 + 8,
            1 => 6 + 4 + 9,
            2 => 7,
            _ => 9,
        });
        same("of_items", &out, expected.collect());
        let below = |end: u32| k.iter().filter(|k| **k < end).count() as u32;
        same("of_items", &done, vec![n as u32, below(3), below(2)]);
    }
}

fn check_in_front(device: &Device) {
    let (mut x, mut y) = (field(device, &[2.0_f32; 17]), field(device, &[3.0_f32; 17]));
    let result = ended(device, fails_in_front(Vec3::new(1.0, 2.0, 3.0), &mut x, &mut y));
    let error = result.unwrap_err().to_string();
    assert!(error.contains('3') && error.contains("out of bounds"), "{error}");
    same("fails_in_front", &x, vec![2.0; 17]);
    same("fails_in_front", &y, vec![3.0; 17]);
}

/// The least failure is told, with the number of all, whatever threads fail beside each other, and again and again.
fn check_parts(device: &Device) {
    for (n, most) in [
        (1, 40),
        (31, 40),
        (1000, 45),
        (1000, 3),
        (1000, 58),
        (1000, 61),
        (4000, 59),
    ] {
        // Later ones fail with smaller numbers.
        let x: Vec<u32> = (0..n).map(|i| (n - 1 - i) * 7919 % 61).collect();
        let field = Field::from_slice(device, &x).unwrap();
        let mut out = Field::zeros(device, n as usize).unwrap();
        let failures = (0..n).filter_map(|i| parted_at(i, x[i as usize], most, x.len()));
        let failures: Vec<(u32, [u64; 2])> = failures.collect();
        let result = ended(device, parted(&field, most, &mut out));
        match (failures.iter().min(), result) {
            (None, result) => result.unwrap(),
            (Some((0, [left, i])), Err(Error::KernelFailure { message, count, .. })) => {
                assert_eq!(
                    (message, count),
                    (format!("{left} is too much for {i}"), failures.len())
                );
            }
            (Some((1, [at, _])), Err(Error::OutOfBounds { index, count, .. })) => {
                assert_eq!((&index[..], count), (&[*at as usize][..], failures.len()));
            }
            (Some((2, _)), Err(Error::KernelFailure { message, count, .. })) => {
                assert_eq!((&message[..], count), ("attempt to divide by zero", failures.len()));
            }
            (expected, result) => panic!("{expected:?}, {result:?}"),
        }
    }
}

fn check_gather(device: &Device, n: usize) {
    let x = Field::from_fn(device, n, |[i]| i as i32 * 10).unwrap();
    let bad = |i: usize| i % 5 == 2 || i + 1 == n;
    let from = |i: usize| if bad(i) { n + i } else { n - 1 - i };
    let index = Field::from_fn(device, n, |[i]| from(i) as u32).unwrap();
    let mut out = Field::full(device, n, -1).unwrap();
    let first = (0..n).find(|i| bad(*i)).unwrap();
    let count = (0..n).filter(|i| bad(*i)).count();
    let got = said(device, gather(&x, &index, &mut out));
    assert_eq!(
        got,
        Said("gather", true, GATHER + 3, 17, "x", vec![n + first], vec![n], count)
    );
    // The iterations that failed stopped there; the others are complete.
    same(
        "gather",
        &out,
        (0..n)
            .map(|i| if bad(i) { -2 } else { 10 * (n - 1 - i) as i32 })
            .collect(),
    );
    // The fields can be used as before.
    let index = Field::from_fn(device, n, |[i]| i as u32).unwrap();
    gather(&x, &index, &mut out).unwrap();
    same("gather", &out, (0..n).map(|i| 10 * i as i32).collect());

    let index = Field::from_fn(device, n, |[i]| if i == n / 2 { u32::MAX } else { 0 }).unwrap();
    let got = said(device, reduce(&x, &index));
    assert_eq!(
        (got.0, got.4, got.5, got.7),
        ("reduce", "x", vec![u32::MAX as usize], 1)
    );
    let mut out = Field::full(device, n, 3).unwrap();
    guarded(&x, &Field::from_fn(device, n, |[i]| 2 * i as u32).unwrap(), &mut out).unwrap();
    same(
        "guarded",
        &out,
        (0..n)
            .map(|i| if i == 0 || 2 * i >= n { -1 } else { 20 * i as i32 })
            .collect(),
    );

    let mut out = Field::full(device, n, 3).unwrap();
    let got = said(device, negative(&x, 1, &mut out));
    assert_eq!((got.0, got.4, got.5, got.7), ("negative", "x", vec![usize::MAX], 1));
    same(
        "negative",
        &out,
        (0..n).map(|i| if i == 0 { 3 } else { 10 * (i as i32 - 1) }).collect(),
    );
}

fn check_stencil(device: &Device) {
    for [h, w] in [[1, 1], [3, 5], [17, 4]] {
        let u = Field::full(device, [h, w], 4).unwrap();
        for (di, dj) in [(0, 0), (1, 0), (0, 1), (2, 3), (usize::MAX - 20, 0)] {
            let mut out = Field::zeros(device, [h, w]).unwrap();
            let result = stencil(&u, &mut out, di, dj);
            let good = |i: usize, j: usize| i + di < h && j + dj < w;
            let cells: Vec<[usize; 2]> = ndrange([h, w]).filter(|[i, j]| !good(*i, *j)).collect();
            if let Some([i, j]) = cells.first() {
                let (index, shape) = (vec![i + di, j + dj], vec![h, w]);
                let expected = Said("stencil", true, STENCIL + 3, 29, "u", index, shape, cells.len());
                assert_eq!(said(device, result), expected, "{h} x {w}, {di}, {dj}");
            } else {
                result.unwrap();
            }
            for [i, j] in ndrange([h, w]) {
                let b = if good(i, j) { [2, 4] } else { [0, 0] };
                assert_eq!(out.get([i, j]).unwrap(), Cell { a: 1, b }, "{h} x {w}, {di}, {dj}");
            }
        }
    }
}

fn check_others(device: &Device) {
    // Checks that stand before the loop give way to checks in it, so that what is in bounds is done.
    let x = super::support::field(device, &[1, 2, 3]);
    let mut y = Field::full(device, 5, -1).unwrap();
    let got = said(device, longer(&x, &mut y));
    assert_eq!(
        (got.0, got.4, got.5, got.6, got.7),
        ("longer", "x", vec![3], vec![3], 2)
    );
    same("longer", &y, vec![2, 3, 4, -1, -1]);
    let got = said(device, to_n(&mut y, 7));
    assert_eq!((got.0, got.4, got.5, got.6, got.7), ("to_n", "y", vec![5], vec![5], 2));
    same("to_n", &y, vec![0, 1, 2, 3, 4]);
    to_n(&mut y, 2).unwrap();

    let to = super::support::field(device, &[1, 9, 1, 3, 3]);
    let mut out = Field::zeros(device, 3).unwrap();
    let got = said(device, scatter(&to, &mut out));
    // Of several failures a GPU names the one that came first in time.
    let named = if device.is_cpu() { vec![3] } else { got.5.clone() };
    assert!(named == [3] || named == [9]);
    assert_eq!(
        (got.0, got.4, got.5, got.6, got.7),
        ("scatter", "out", named, vec![3], 3)
    );
    same("scatter", &out, vec![7, 2, 0]);

    // No element at all.
    let none = Field::<i32>::zeros(device, 0).unwrap();
    let index = super::support::field(device, &[0]);
    let mut out = Field::full(device, 1, -1).unwrap();
    assert_eq!(said(device, gather(&none, &index, &mut out)).6, [0]);

    let text = ended(device, gather(&none, &index, &mut out)).unwrap_err().to_string();
    let expected = format!(
        "{}:{}:17: kernel `gather` accessed `x` at [0], outside its shape [0]",
        file!(),
        GATHER + 3
    );
    assert_eq!(text, expected);
}

/// Parameters with names that CUDA C code has for something else.
#[allow(non_snake_case)]
#[kernel]
fn named(at: &Field<i32>, threadIdx: &Field<i32>, errors: &mut Field<i32>, by: usize, other: usize) {
    for i in errors.indices() {
        errors[i] = at[i + by] + threadIdx[i + other];
    }
}

fn check_names(device: &Device) {
    let [at, other] = [4, 5].map(|n| Field::full(device, n, 3).unwrap());
    for (by, of_other, field) in [(2, 0, "at"), (0, 3, "threadIdx")] {
        let mut errors = Field::zeros(device, 4).unwrap();
        let result = ended(device, named(&at, &other, &mut errors, by, of_other));
        assert!(
            matches!(result, Err(Error::OutOfBounds { field: told, count: 2, .. }) if told == field),
            "{field}: {result:?}"
        );
    }
}

fn check_top_level(device: &Device) {
    let mut x = super::support::field(device, &[1, 2, 3]);
    let got = said(device, top_level(&mut x, 3));
    assert_eq!(got, Said("top_level", true, TOP + 2, 5, "x", vec![3], vec![3], 1));
    // What came before is done, what comes after is not.
    same("top_level", &x, vec![5, 2, 3]);
    assert_eq!(top_level(&mut x, 2).unwrap(), 6);
    same("top_level", &x, vec![6, 3, 7]);
    let mut none = Field::zeros(device, 0).unwrap();
    assert_eq!(said(device, top_level(&mut none, 0)).2, TOP + 1);
}

/// What fails in front of a loop ends the kernel. A loop with too many positions is left out.
fn check_phases(device: &Device) {
    for (step, half) in [(0, 1), (1, 1 << 32)] {
        let (what, behind) = match step {
            0 => ("step of a loop", 0),
            _ => ("more than 2^56 positions", 10_100),
        };
        let mut counts = Field::full(device, 3, 1).unwrap();
        let error = ended(device, loops_after(step, half, &mut counts))
            .unwrap_err()
            .to_string();
        assert!(error.contains(what) && !error.contains("more)"), "{error}");
        same("loops_after", &counts, vec![1 + behind; 3]);
    }
    let mut sums = Field::full(device, 3, 2).unwrap();
    for (a, b) in [(7, 0), (i32::MIN, -1)] {
        let error = ended(device, divide_first(a, b, &mut sums)).unwrap_err();
        assert!(!error.to_string().contains("more"), "once: {error}");
        same("divide_first", &sums, vec![2; 3]);
    }
    assert_eq!(divide_first(-7, 2, &mut sums).unwrap(), 4);
    same("divide_first", &sums, vec![2 + 10 - 4; 3]);
}

fn check_panics(device: &Device) {
    let mut out = Field::zeros(device, 3).unwrap();
    let mut panics = |what: &str, run: &dyn Fn(&mut Field<i32>) -> swathe::Result<()>| match run(&mut out) {
        Err(Error::KernelPanic {
            message,
            kernel,
            file,
            line,
        }) => {
            assert!(message.contains(what), "{message}");
            assert!(file == file!() && line > GATHER, "{kernel}: {file}:{line}");
        }
        other => panic!("{what}: {other:?}"),
    };
    panics("index out of bounds: the len is 3 but the index is 3", &|out| {
        index_array(3, out)
    });
    if cfg!(debug_assertions) {
        panics("add with overflow", &|out| overflow(i32::MAX - 1, out));
        panics("shift left with overflow", &|out| shift(32, out));
    } else {
        overflow(i32::MAX - 1, &mut out).unwrap();
        same("overflow", &out, vec![i32::MAX - 1, i32::MAX, i32::MIN]);
        shift(33, &mut out).unwrap();
        same("shift", &out, vec![2; 3]);
    }
    // The field is as usable as before.
    divide(7, 2, true, &mut out).unwrap();
    same("divide", &out, vec![1; 3]);
    for [a, b, c] in [[0, usize::MAX, usize::MAX], [usize::MAX, 0, 7], [1 << 62, 0, 1 << 62]] {
        assert_eq!(too_many_of_three(a, b, c).unwrap(), 0);
    }
    assert_eq!((too_many(3, 5).unwrap(), too_many(0, usize::MAX).unwrap()), (3, 0));
    assert_eq!(too_many_of_three(3, 5, 2).unwrap(), 1);
    let mut counts = Field::zeros(device, 3).unwrap();
    too_many_unnamed(1 << 32, 1 << 32, &mut counts).unwrap_err();
    same("too_many_unnamed", &counts, vec![0; 3]);
    too_many_unnamed(2, 4, &mut counts).unwrap();
    too_many_leading(2, 4, &mut counts).unwrap();
    same("too_many_unnamed", &counts, vec![8 + 8, 4, 4]);
    overflow(i32::MAX - 2, &mut out).unwrap();
    same("overflow", &out, vec![i32::MAX - 2, i32::MAX - 1, i32::MAX]);
}

kernel_of_here! { of_here }

const OF_THERE: u32 = line!() + 4;
kernel_of_there! { x out {
    for i in out.indices() {
        out[i] = 1;
        assert!(x[i] > 3, "{}", x[i]);
        out[i] = x[i + 1];
    }
} }

const PARTS: u32 = line!() + 3;
kernel_of_both! {
    of_both(x, out, i, by)
    { assert!(x[i] > 3, "{}", x[i]); }
    x[i + by]
        + 100 / (x[i] - 7);
    divided(v) 0 + 100 / (v - 8)
}

/// Kernels made by macros: the file is that of the line.
fn check_files(device: &Device) {
    let (x, mut out) = (Field::full(device, 3, 7).unwrap(), Field::zeros(device, 3).unwrap());
    let place = |result: swathe::Result<()>| match ended(device, result).unwrap_err() {
        Error::OutOfBounds { file, line, .. } | Error::KernelFailure { file, line, .. } => (file.to_owned(), line),
        other => panic!("{other}"),
    };
    let (file, line) = OF_HERE;
    assert_eq!(place(of_here(&x, &mut out)), (file.to_owned(), line));
    assert_eq!(place(of_there(&x, &mut out)), (file!().to_owned(), OF_THERE + 1));
    let low = Field::full(device, 3, 2).unwrap();
    assert_eq!(place(of_there(&low, &mut out)), (file!().to_owned(), OF_THERE));

    let mut both = |value: i32, by: usize| {
        let x = Field::full(device, 3, value).unwrap();
        place(of_both(&x, &x, &mut out, by))
    };
    let ((file, line), given) = (OF_BOTH, |line: u32| (file!().to_owned(), PARTS + line));
    assert_eq!(both(2, 0), given(0));
    assert_eq!(both(9, 2), given(1));
    assert_eq!(both(7, 0), given(2));
    assert_eq!(both(8, 0), given(3));
    assert_eq!(both(5, 0), (file.to_owned(), line));
    assert_eq!(both(9, 0), (file.to_owned(), line + 9));
}

/// What a kernel made by a macro says of itself.
fn check_files_of_plans() {
    let ((file, line), plan) = (OF_BOTH, of_both::plan());
    let [of_loop] = plan.loops() else { panic!("one loop") };
    let own = |down: u32| (file, line + down);
    let given = |down: u32| (file!(), PARTS + down);
    assert_eq!((of_loop.file, of_loop.line), own(6));
    assert!(plan.to_string().contains(&format!("{file}:{}:", line + 6)), "{plan}");

    let checks = of_both::checks();
    let places: Vec<_> = checks.accesses().map(|access| (access.file, access.line)).collect();
    let out = (file!(), PARTS - 1);
    assert_eq!(
        places,
        [own(7), given(0), given(0), given(1), given(2), own(9), out],
        "{checks}"
    );
    let shown = checks.to_string();
    assert!(shown.contains(&format!("{}:{}:5 ", file!(), PARTS + 1)), "{shown}");
    assert!(shown.contains(&format!("{file}:{}:", line + 9)), "{shown}");

    let device = plan.device().unwrap();
    let [phase] = device.phases() else { panic!("one loop") };
    assert_eq!((phase.file.as_str(), phase.line), own(6));
    let places: HashSet<_> = (phase.checks.iter())
        .map(|check| (check.file.as_str(), check.line))
        .collect();
    for place in [given(0), given(1), given(2), given(3), own(0), own(9)] {
        assert!(places.contains(&place), "{place:?}: {device}");
    }
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        of_small,
        of_items,
        fails_in_front,
        gather,
        stencil,
        scatter,
        reduce,
        top_level,
        longer,
        to_n,
        guarded,
        negative,
        divide,
        divide_first,
        loops_after,
        index_array,
        overflow,
        shift,
        wrapping,
        parted,
        too_many,
        too_many_of_three,
        too_many_unnamed,
        too_many_leading,
        differences,
        sum_between,
        signed_between,
        some_between,
        rows_between,
        lines_between,
        far_apart,
        zero_step,
        steps,
        equal_steps,
        steps_of_function,
        turned_steps,
        steps_in_front,
        named,
        of_here,
        of_there,
        of_both
    ]
}
