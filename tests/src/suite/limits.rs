//! Loops over ranges that start or end where their type does.

use std::fmt::Debug;

use swathe::prelude::*;

use super::support::{ended, equal, field, sources};

macro_rules! ranges {
    ($($parallel:ident $stepped:ident $sequential:ident $t:ident)*) => {
        $(
            #[kernel]
            fn $parallel(seen: &mut Field<u64>, first: $t, last: $t) {
                for k in first..last {
                    seen[0].atomic_add(1);
                    seen[1].atomic_add(k as u64);
                }
                for k in first..=last {
                    seen[2].atomic_add(1);
                    seen[3].atomic_add(k as u64);
                }
            }

            #[kernel]
            fn $stepped(seen: &mut Field<u64>, first: $t, last: $t, step: usize, long: usize) {
                for k in (first..last).step_by(step) {
                    seen[0].atomic_add(1);
                    seen[1].atomic_add(k as u64);
                }
                for k in (first..=last).step_by(step) {
                    seen[2].atomic_add(1);
                    seen[3].atomic_add(k as u64);
                }
                for k in ($t::MIN..=last).step_by(long) {
                    seen[4].atomic_add(1);
                    seen[5].atomic_add(k as u64);
                }
                for k in ($t::MIN..=$t::MAX).step_by(long) {
                    seen[6].atomic_add(1);
                    seen[7].atomic_add(k as u64);
                }
            }

            /// The order of the iterations shows.
            #[kernel]
            fn $sequential(first: &Field<$t>, last: &Field<$t>, step: &Field<u64>, out: &mut Field<u64, 2>) {
                for i in first.indices() {
                    let a = first[i];
                    let b = last[i];
                    let by = step[i] as usize;
                    if by < 2 {
                        for k in a..b {
                            out[[i, 0]] = out[[i, 0]].wrapping_mul(31).wrapping_add(k as u64);
                        }
                        for k in a..=b {
                            out[[i, 1]] = out[[i, 1]].wrapping_mul(31).wrapping_add(k as u64);
                        }
                        for k in (a..b).rev() {
                            out[[i, 2]] = out[[i, 2]].wrapping_mul(31).wrapping_add(k as u64);
                        }
                        for k in (a..=b).rev() {
                            out[[i, 3]] = out[[i, 3]].wrapping_mul(31).wrapping_add(k as u64);
                        }
                    }
                    for k in (a..b).step_by(by) {
                        out[[i, 4]] = out[[i, 4]].wrapping_mul(31).wrapping_add(k as u64);
                    }
                    for k in (a..=b).step_by(by) {
                        out[[i, 5]] = out[[i, 5]].wrapping_mul(31).wrapping_add(k as u64);
                    }
                    for k in (a..b).rev().step_by(by) {
                        out[[i, 6]] = out[[i, 6]].wrapping_mul(31).wrapping_add(k as u64);
                    }
                    for k in (a..=b).rev().step_by(by) {
                        out[[i, 7]] = out[[i, 7]].wrapping_mul(31).wrapping_add(k as u64);
                    }
                }
            }
        )*

        pub fn check(device: &Device) {
            $(
                check_parallel::<$t>(
                    device,
                    &cases($t::MIN, $t::MAX, |a, by| a.checked_add(by), |a, by| a.checked_sub(by)),
                    |seen, first, last| $parallel(seen, first, last),
                    |seen, first, last, step, long| $stepped(seen, first, last, step, long),
                );
                check_sequential::<$t>(
                    device,
                    &cases($t::MIN, $t::MAX, |a, by| a.checked_add(by), |a, by| a.checked_sub(by)),
                    |first, last, step, out| $sequential(first, last, step, out),
                );
            )*
            check_turned(device);
            check_literals(device);
            check_turned_literals(device);
        }

        fn each_source(add: &mut Vec<(&'static str, swathe::Result<String>)>) {
            $(add.extend(sources![$parallel, $stepped, $sequential]);)*
        }

        $(
            impl Limits for $t {
                const BITS: u32 = $t::BITS;
                fn wide(self) -> i128 {
                    i128::from(self)
                }
            }
        )*
    };
}

/// An integer type.
trait Limits: Element + Debug {
    const BITS: u32;
    fn wide(self) -> i128;
}

ranges! {
    of_u8 steps_of_u8 in_u8 u8
    of_i8 steps_of_i8 in_i8 i8
    of_u16 steps_of_u16 in_u16 u16
    of_i16 steps_of_i16 in_i16 i16
    of_u32 steps_of_u32 in_u32 u32
    of_i32 steps_of_i32 in_i32 i32
    of_u64 steps_of_u64 in_u64 u64
    of_i64 steps_of_i64 in_i64 i64
}

/// Steps from the last one on, in the types in which Rust has them. The order of the iterations shows.
macro_rules! turned {
    ($($kernel:ident $t:ident from $stored:ident $(, with ends $closed:ident)?;)*) => {
        $(
            #[kernel]
            fn $kernel(first: &Field<$stored>, last: &Field<$stored>, step: &Field<u64>, out: &mut Field<u64, 2>) {
                for i in first.indices() {
                    let mut a = first[i] as $t;
                    let mut b = last[i] as $t;
                    let mut by = step[i] as usize;
                    for k in (a..b).step_by(by).rev() {
                        out[[i, 0]] = out[[i, 0]].wrapping_mul(31).wrapping_add(k as u64);
                        // It counts from what they were.
                        a = a.wrapping_add(1);
                        b = b.wrapping_sub(1);
                        by = by.wrapping_add(1);
                    }
                    let a = first[i] as $t;
                    let b = last[i] as $t;
                    let by = step[i] as usize;
                    for k in (a..b).rev().step_by(by).rev() {
                        out[[i, 1]] = out[[i, 1]].wrapping_mul(31).wrapping_add(k as u64);
                    }
                }
            }

            $(
                #[kernel]
                fn $closed(first: &Field<$stored>, last: &Field<$stored>, step: &Field<u64>, out: &mut Field<u64, 2>) {
                    for i in first.indices() {
                        let a = first[i];
                        let b = last[i];
                        let by = step[i] as usize;
                        for k in (a..=b).step_by(by).rev() {
                            out[[i, 2]] = out[[i, 2]].wrapping_mul(31).wrapping_add(k as u64);
                        }
                        for k in (a..=b).rev().step_by(by).rev() {
                            out[[i, 3]] = out[[i, 3]].wrapping_mul(31).wrapping_add(k as u64);
                        }
                    }
                }
            )?
        )*

        fn check_turned(device: &Device) {
            $({
                let cases = cases($stored::MIN, $stored::MAX, |a, by| a.checked_add(by), |a, by| a.checked_sub(by));
                let (first, last, step) = parts(device, &cases);
                let mut out = Field::zeros(device, [cases.len(), 4]).unwrap();
                ended(device, $kernel(&first, &last, &step, &mut out)).unwrap();
                let (_closed, _no_closed): (&[bool], ()) = (&[$({
                    ended(device, $closed(&first, &last, &step, &mut out)).unwrap();
                    true
                })?], ());
                let got = out.to_vec().unwrap();
                for (i, (first, last, step)) in cases.iter().enumerate() {
                    let forms = [(false, false), (false, true), (true, false), (true, true)];
                    let expected = forms.map(|(inclusive, reverse)| {
                        if inclusive && _closed.is_empty() {
                            return 0;
                        }
                        let values = values(first.wide(), last.wide(), inclusive, reverse, *step);
                        values.iter().rev().fold(0, |s: u64, k| s.wrapping_mul(31).wrapping_add(*k))
                    });
                    let what = format!("{first:?}, {last:?}, {step} from the last as {}", stringify!($t));
                    equal(&what, &got[4 * i..4 * i + 4], &expected);
                }
            })*
        }

        fn each_turned_source(add: &mut Vec<(&'static str, swathe::Result<String>)>) {
            $(add.extend(sources![$kernel $(, $closed)?]);)*
        }
    };
}

turned! {
    turned_u8 u8 from u8, with ends closed_u8;
    turned_i8 i8 from i8, with ends closed_i8;
    turned_u16 u16 from u16, with ends closed_u16;
    turned_i16 i16 from i16, with ends closed_i16;
    turned_u32 u32 from u32;
    turned_i32 i32 from i32;
    turned_usize usize from u64;
    turned_isize isize from i64;
}

/// First, last and step of ranges at the ends of a type.
fn cases<T>(least: T, most: T, up: impl Fn(T, T) -> Option<T>, down: impl Fn(T, T) -> Option<T>) -> Vec<(T, T, usize)>
where
    T: Limits + PartialOrd + TryFrom<u8, Error: Debug>,
{
    let small = |v: u8| T::try_from(v).unwrap();
    let span = (1u128 << T::BITS) - 1;
    let large = |by: u128| usize::try_from(span / by + 3).unwrap_or(usize::MAX);
    vec![
        (down(most, small(37)).unwrap(), most, 1),
        (down(most, small(1)).unwrap(), most, 1),
        (most, most, 1),
        (most, down(most, small(2)).unwrap(), 1),
        (least, up(least, small(23)).unwrap(), 1),
        (least, least, 1),
        (up(least, small(3)).unwrap(), least, 1),
        (down(most, small(3)).unwrap(), up(least, small(3)).unwrap(), 1),
        (down(most, small(100)).unwrap(), most, 7),
        (down(most, small(99)).unwrap(), down(most, small(1)).unwrap(), 7),
        (least, most, large(5)),
        (least, most, large(2)),
        (least, most, large(1)),
        (up(least, small(1)).unwrap(), most, large(3)),
    ]
}

/// The values of a range, in order.
fn values(first: i128, last: i128, inclusive: bool, reverse: bool, step: usize) -> Vec<u64> {
    let end = if inclusive { last + 1 } else { last };
    let by = step as i128;
    let count = if first < end { (end - first - 1) / by + 1 } else { 0 };
    (0..count)
        .map(|k| if reverse { end - 1 - k * by } else { first + k * by } as u64)
        .collect()
}

fn check_parallel<T: Limits>(
    device: &Device,
    cases: &[(T, T, usize)],
    dense: impl Fn(&mut Field<u64>, T, T) -> swathe::Result<()>,
    stepped: impl Fn(&mut Field<u64>, T, T, usize, usize) -> swathe::Result<()>,
) {
    let least = if cases.iter().any(|(a, ..)| a.wide() < 0) {
        -(1i128 << (T::BITS - 1))
    } else {
        0
    };
    let most = least + (1i128 << T::BITS) - 1;
    let sums = |lists: &[Vec<u64>]| -> Vec<u64> {
        lists
            .iter()
            .flat_map(|list| [list.len() as u64, list.iter().fold(0, |s: u64, k| s.wrapping_add(*k))])
            .collect()
    };
    for &(first, last, step) in cases {
        let (a, b) = (first.wide(), last.wide());
        let what = format!("{a}..{b} by {step} of {} bits", T::BITS);
        if step == 1 {
            let mut seen = Field::zeros(device, 4).unwrap();
            ended(device, dense(&mut seen, first, last)).unwrap();
            let expected = sums(&[values(a, b, false, false, 1), values(a, b, true, false, 1)]);
            equal(&what, &seen.to_vec().unwrap(), &expected);
        }
        let long = step.max(usize::try_from((most - least) / 50).unwrap());
        let mut seen = Field::zeros(device, 8).unwrap();
        ended(device, stepped(&mut seen, first, last, step, long)).unwrap();
        let expected = sums(&[
            values(a, b, false, false, step),
            values(a, b, true, false, step),
            values(least, b, true, false, long),
            values(least, most, true, false, long),
        ]);
        equal(&format!("{what}, {long}"), &seen.to_vec().unwrap(), &expected);
    }
}

/// The parts of all cases.
fn parts<T: Limits>(device: &Device, cases: &[(T, T, usize)]) -> (Field<T>, Field<T>, Field<u64>) {
    let first: Vec<T> = cases.iter().map(|case| case.0).collect();
    let last: Vec<T> = cases.iter().map(|case| case.1).collect();
    let step: Vec<u64> = cases.iter().map(|case| case.2 as u64).collect();
    (field(device, &first), field(device, &last), field(device, &step))
}

fn check_sequential<T: Limits>(
    device: &Device,
    cases: &[(T, T, usize)],
    kernel: impl Fn(&Field<T>, &Field<T>, &Field<u64>, &mut Field<u64, 2>) -> swathe::Result<()>,
) {
    let (first, last, step) = parts(device, cases);
    let mut out = Field::zeros(device, [cases.len(), 8]).unwrap();
    ended(device, kernel(&first, &last, &step, &mut out)).unwrap();
    let got = out.to_vec().unwrap();
    for (i, (first, last, step)) in cases.iter().enumerate() {
        let folded = |inclusive, reverse| {
            let values = values(first.wide(), last.wide(), inclusive, reverse, *step);
            values.iter().fold(0, |s: u64, k| s.wrapping_mul(31).wrapping_add(*k))
        };
        let forms = [(false, false), (true, false), (false, true), (true, true)];
        let by_one = forms.map(|(inclusive, reverse)| if *step < 2 { folded(inclusive, reverse) } else { 0 });
        let expected = [by_one, forms.map(|(inclusive, reverse)| folded(inclusive, reverse))].concat();
        equal(
            &format!("{first:?}, {last:?}, {step} in order"),
            &got[8 * i..8 * i + 8],
            &expected,
        );
    }
}

/// Ranges of literals, and ends that the compiler knows.
#[kernel]
fn literals(x: &Field<i64>, out: &mut Field<u64, 2>) {
    for i in x.indices() {
        let v = x[i];
        for k in (18_446_744_073_709_551_600u64..u64::MAX).step_by(7) {
            out[[i, 0]] = out[[i, 0]].wrapping_mul(31).wrapping_add(k);
        }
        for k in (0..u64::MAX - v as u64).step_by(1 << 63) {
            out[[i, 1]] = out[[i, 1]].wrapping_mul(31).wrapping_add(k);
        }
        for k in (9_223_372_036_854_775_800i64..i64::MAX - v).step_by(3) {
            out[[i, 2]] = out[[i, 2]].wrapping_mul(31).wrapping_add(k as u64);
        }
        for k in (i32::MIN..i32::MIN + v as i32).rev() {
            out[[i, 3]] = out[[i, 3]].wrapping_mul(31).wrapping_add(k as u64);
        }
        for k in 250u8..=255 {
            out[[i, 4]] = out[[i, 4]].wrapping_mul(31).wrapping_add(k as u64);
        }
        for k in (-128i8..=127).step_by(200) {
            out[[i, 5]] = out[[i, 5]].wrapping_mul(31).wrapping_add(k as u64);
        }
        for k in (-9_223_372_036_854_775_808i64..i64::MIN + v).rev() {
            out[[i, 6]] = out[[i, 6]].wrapping_mul(31).wrapping_add(k as u64);
        }
    }
}

fn check_literals(device: &Device) {
    let x = field(device, &[0i64, 1, 5]);
    let mut out = Field::zeros(device, [3, 7]).unwrap();
    ended(device, literals(&x, &mut out)).unwrap();
    let got = out.to_vec().unwrap();
    for (i, v) in [0i128, 1, 5].into_iter().enumerate() {
        let (most, top) = (i128::from(u64::MAX), i128::from(i64::MAX));
        let (least, lowest) = (i128::from(i32::MIN), i128::from(i64::MIN));
        let expected = [
            values(18_446_744_073_709_551_600, most, false, false, 7),
            values(0, most - v, false, false, 1 << 63),
            values(9_223_372_036_854_775_800, top - v, false, false, 3),
            values(least, least + v, false, true, 1),
            values(250, 255, true, false, 1),
            values(-128, 127, true, false, 200),
            values(lowest, lowest + v, false, true, 1),
        ]
        .map(|list| list.iter().fold(0, |s: u64, k| s.wrapping_mul(31).wrapping_add(*k)));
        equal(&format!("literals, {v}"), &got[7 * i..7 * i + 7], &expected);
    }
}

#[func]
fn folded(n: u32, by: usize) -> u64 {
    let mut s = 1u64;
    for k in (3..n).step_by(by).rev() {
        if k == 9 {
            continue;
        }
        s = s.wrapping_mul(31).wrapping_add(k as u64);
    }
    s
}

/// The same with literals, in loops of one thread and of functions.
#[kernel]
fn turned_literals(x: &Field<i64>, out: &mut Field<u64, 2>, n: usize) {
    for k in serial((2..n).step_by(3).rev()) {
        out[[0, 0]] = out[[0, 0]].wrapping_mul(31).wrapping_add(k as u64);
    }
    for i in x.indices() {
        let v = x[i];
        for k in (0..usize::MAX - v as usize).step_by(1 << 63).rev() {
            out[[i, 1]] = out[[i, 1]].wrapping_mul(31).wrapping_add(k as u64);
        }
        for k in (1u32..4_000_000_000).step_by(3_000_000_000).rev() {
            out[[i, 2]] = out[[i, 2]].wrapping_mul(31).wrapping_add(k as u64);
        }
        for k in (-128i8..=127).step_by(200).rev() {
            out[[i, 3]] = out[[i, 3]].wrapping_mul(31).wrapping_add(k as u64);
        }
        for k in (0..x.len() + 7).step_by(4).rev() {
            out[[i, 4]] = out[[i, 4]].wrapping_mul(31).wrapping_add(k as u64);
        }
        for k in (isize::MIN..v as isize).step_by(1 << 61).rev() {
            out[[i, 5]] = out[[i, 5]].wrapping_mul(31).wrapping_add(k as u64);
        }
        out[[i, 6]] = folded(v as u32 * 4, v as usize + 1);
    }
}

fn check_turned_literals(device: &Device) {
    let x = field(device, &[0i64, 1, 5]);
    let mut out = Field::zeros(device, [3, 7]).unwrap();
    ended(device, turned_literals(&x, &mut out, 18)).unwrap();
    let got = out.to_vec().unwrap();
    for (i, v) in [0i128, 1, 5].into_iter().enumerate() {
        let (most, least) = (i128::from(u64::MAX), i128::from(i64::MIN));
        let mut lists = [
            values(2, if i == 0 { 18 } else { 0 }, false, false, 3),
            values(0, most - v, false, false, 1 << 63),
            values(1, 4_000_000_000, false, false, 3_000_000_000),
            values(-128, 127, true, false, 200),
            values(0, 10, false, false, 4),
            values(least, v, false, false, 1 << 61),
            values(3, v * 4, false, false, v as usize + 1),
        ];
        lists[6].retain(|k| *k != 9);
        let start = [0, 0, 0, 0, 0, 0, 1];
        let expected: Vec<u64> = (lists.iter().zip(start))
            .map(|(list, s)| {
                list.iter()
                    .rev()
                    .fold(s, |s: u64, k| s.wrapping_mul(31).wrapping_add(*k))
            })
            .collect();
        equal(&format!("turned literals, {v}"), &got[7 * i..7 * i + 7], &expected);
    }
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    let mut all = sources![literals, turned_literals];
    each_source(&mut all);
    each_turned_source(&mut all);
    all
}
