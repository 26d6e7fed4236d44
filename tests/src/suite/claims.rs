//! `assert!`, `panic!` and their kind, and divisions of integers that have no result.

use std::ops::Div;
use std::sync::atomic::{AtomicBool, Ordering};

use swathe::prelude::*;
use swathe::{bf16, f16};

use super::support::{ended, same, sources};

const SCALARS: u32 = line!() + 2;
#[kernel]
#[allow(clippy::too_many_arguments, reason = "one of each type")]
fn scalars(a: i8, b: i16, c: i64, d: u8, e: u16, f: u64, g: isize, h: f16, w: bf16, x: f64, out: &mut Field<u32>) {
    for i in out.indices() {
        out[i] = 1;
        assert!(
            out[i] > 1,
            "{a} {b} {c:?} {d:#04x} {e:b} {f} {g:+}, {h} {w:?} and {x:.3} {}",
            out[i]
        );
        out[i] = 2;
    }
}

const VALUES: u32 = line!() + 2;
#[kernel]
fn values(x: &Field<f32>, limit: f32, out: &mut Field<f32>) {
    for i in out.indices() {
        out[i] = -1.0;
        let v = x[i];
        assert!(
            v < limit,
            "{v} at {i} is not below {0:.2}, {ok}, {v:?}",
            limit,
            ok = v > 0.0
        );
        out[i] = v;
    }
}

const COMPARES: u32 = line!() + 2;
#[kernel]
fn compares(a: u32, b: i32, v: Vec3, m: Mat2, out: &mut Field<i32>) {
    for i in out.indices() {
        assert_eq!(a % 7, 3);
        assert_ne!(b, -5, "b of {}", i);
        assert_eq!(v, Vec3::new(1.0, 2.0, 3.0), "{v:.1}");
        assert!(m[[0, 1]] == 2.0, "{m:?}");
        out[i] = 1;
    }
}

const NESTED: u32 = line!() + 2;
#[kernel]
fn nested(x: &Field<i32, 2>, out: &mut Field<i32>) {
    let [_, w] = x.shape();
    for i in out.indices() {
        let mut sum = 0;
        'outer: for j in 0..w {
            for k in 0..2 {
                if x[[i, j]] == 7 {
                    continue 'outer;
                }
                assert!(x[[i, j]] >= 0, "x[{i}, {j}] = {}", x[[i, j]]);
                sum += x[[i, j]] + k;
            }
        }
        out[i] = sum;
    }
}

const SERIAL: u32 = line!() + 2;
#[kernel]
fn serial_part(n: usize, out: &mut Field<i32>) -> i32 {
    for i in out.indices() {
        out[i] = 1;
    }
    assert!(n < 4, "{n} of {}", out.len());
    for i in out.indices() {
        out[i] += 1;
    }
    out[0]
}

const CHOICE: u32 = line!() + 2;
#[kernel]
fn choice(x: &Field<u32>, out: &mut Field<u32>) {
    for i in x.indices() {
        let v = match x[i] {
            0 => 10,
            1 => unreachable!(),
            2 => unreachable!("at {}", i),
            3 => panic!("three"),
            4 => todo!(),
            v => {
                if v > 9 {
                    v
                } else {
                    panic!()
                }
            }
        };
        out[i] = v;
    }
}

const POSITIVE: u32 = line!() + 2;
#[func]
pub fn positive(x: i32, k: usize) -> i32 {
    assert!(x > 0, "{x} at {k} is not positive");
    if x == 1000 {
        unreachable!("no {}", x);
    }
    2 * x
}

#[func]
fn half_of(x: i32, k: usize) -> i32 {
    1 + positive(x, k) / 4
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Counter {
    n: u32,
}

#[func]
impl Counter {
    fn count(&mut self, by: u32) {
        self.n += 1;
        assert_ne!(by, 3);
        self.n += by;
    }
}

/// Not a number's division: any divisor will do.
#[func]
impl Div<u32> for Counter {
    type Output = Counter;

    #[allow(clippy::suspicious_arithmetic_impl, reason = "so that a zero does no harm")]
    fn div(self, by: u32) -> Counter {
        Counter { n: self.n + by }
    }
}

#[kernel]
fn calls(x: &Field<i32>, out: &mut Field<i32>) {
    for i in x.indices() {
        out[i] = -1;
        if i % 3 == 1 {
            continue;
        }
        let v = half_of(x[i], i);
        out[i] = v;
    }
}

const NESTED_DIVISIONS: u32 = line!() + 2;
#[func]
fn nested_divisions(a: i32, b: i32, c: i32) -> i32 {
    1 + ((a / b) % c)
}

#[kernel]
fn divides_in_parentheses(b: i32, c: i32, out: &mut Field<i32>) {
    for i in out.indices() {
        out[i] = nested_divisions(7, b, c);
    }
}

const OWN_FIRST: u32 = line!() + 2;
#[kernel]
fn own_first(x: &Field<i32>, at: &Field<u32>, table: &Field<i32>, out: &mut Field<i32>) {
    for i in x.indices() {
        out[i] = half_of(x[i], i) + table[at[i] as usize];
    }
}

#[kernel]
fn calls_in_rows(x: &Field<i32, 2>, out: &mut Field<i32, 2>) {
    for [i, j] in x.indices() {
        out[[i, j]] = -1;
        out[[i, j]] = positive(x[[i, j]], 10 * i + j);
    }
}

#[kernel]
fn calls_whole(x: &Field<i32, 2>, out: &mut Field<i32, 2>) {
    for p in x.indices() {
        out[p] = -1;
        out[p] = positive(x[p], 10 * p[0] + p[1]);
    }
}

/// Names that generated code has, too.
#[func]
fn assertion_failed(division_overflow: i32) -> i32 {
    assert!(division_overflow < 4, "{division_overflow}");
    division_overflow / 2 % division_overflow
}

#[kernel]
fn same_names(x: &Field<i32>, out: &mut Field<i32>) {
    for i in x.indices() {
        let failed = assertion_failed(x[i]);
        let assertion_failed = assertion_failed(failed + 2);
        assert!(failed < 1, "{failed} {assertion_failed}");
        out[i] = failed + assertion_failed / (x[i] - 1);
    }
}

#[kernel]
fn sum_of_calls(x: &Field<i32>) -> i32 {
    let mut sum = 0;
    for i in x.indices() {
        sum += positive(x[i], i);
    }
    sum
}

#[kernel]
fn call_alone(x: i32, out: &mut Field<i32>) {
    out[0] = positive(x, 0);
    for i in out.indices() {
        out[i] = 5;
    }
}

#[kernel]
fn methods(by: u32, counters: &mut Field<Counter>, out: &mut Field<u32>) {
    for i in counters.indices() {
        let mut c = counters[i] / 0;
        c.count(by + i as u32);
        counters[i] = c;
        out[i] = c.n;
    }
}

const ORDER: u32 = line!() + 2;
#[kernel]
fn order(x: &Field<i32>, mode: i32, out: &mut Field<i32>) {
    for i in out.indices() {
        assert!(mode != 1 || i < 2, "first");
        let v = x[i + if mode == 2 { 5 } else { 0 }];
        assert!(v >= 0, "{v}");
        out[i] = v / (v - 3);
        assert!(i != 1, "last");
    }
}

#[kernel]
fn debug_only(x: i32, out: &mut Field<i32>) {
    for i in out.indices() {
        debug_assert!(x > 0);
        debug_assert_eq!(x, 2, "two");
        out[i] = x;
    }
}

macro_rules! divisions {
    ($($t:ident $kernel:ident $in_place:ident $with_function:ident $divide:ident;)*) => {$(
        #[kernel]
        fn $kernel(a: &Field<$t>, b: &Field<$t>, mode: i32, out: &mut Field<$t>) {
            for i in out.indices() {
                out[i] = match mode {
                    0 => a[i] / b[i],
                    1 => a[i] % b[i],
                    2 => a[i].div_euclid(b[i]),
                    3 => a[i].rem_euclid(b[i]),
                    4 => $t::rem_euclid(a[i], b[i]),
                    _ => 100 / (a[i] - a[i] + b[i]),
                };
            }
        }

        #[kernel]
        fn $in_place(a: &Field<$t>, b: &Field<$t>, mode: i32, out: &mut Field<$t>) {
            for i in out.indices() {
                out[i] = a[i];
                let mut v = a[i];
                if mode == 0 {
                    v /= b[i];
                    out[i] = v;
                } else if mode == 1 {
                    v %= b[i];
                    out[i] = v;
                } else if mode == 2 {
                    out[i] /= b[i];
                } else {
                    out[i] %= b[i];
                }
            }
        }

        #[func]
        fn $divide(a: $t, b: $t, mode: i32) -> $t {
            let mut v = [a, a];
            match mode {
                0 => a / b,
                1 => a % b,
                2 => a.div_euclid(b),
                3 => a.rem_euclid(b),
                4 => {
                    v[1] /= b;
                    v[1]
                }
                _ => {
                    v[0] %= b;
                    v[0]
                }
            }
        }

        #[kernel]
        fn $with_function(a: &Field<$t>, b: &Field<$t>, mode: i32, out: &mut Field<$t>) {
            for i in out.indices() {
                out[i] = a[i];
                out[i] = $divide(a[i], b[i], mode);
            }
        }
    )*

        fn check_divisions(device: &Device) {
            $({
                let of = |k: usize| [$t::MIN, 7, 0, $t::MAX, 100, 3][k % 6];
                let by = |k: usize| [3, $t::MIN, 0, $t::MAX.wrapping_add($t::MAX).wrapping_add(1), 1, 7][k / 6 % 6];
                let a = Field::from_fn(device, 36, |[k]| of(k)).unwrap();
                let b = Field::from_fn(device, 36, |[k]| by(k)).unwrap();
                let ways = [
                    ($kernel as fn(&Field<$t>, &Field<$t>, i32, &mut Field<$t>) -> swathe::Result<()>, [0, 1, 2, 3, 3, 4], false),
                    ($in_place, [0, 1, 0, 1, 9, 9], true),
                    ($with_function, [0, 1, 2, 3, 0, 1], true),
                ];
                for (kernel, operations, written) in ways {
                    for (mode, operation) in operations.into_iter().enumerate() {
                        let expected: Vec<Option<$t>> = (0..36).map(|k| match operation {
                            0 => of(k).checked_div(by(k)),
                            1 => of(k).checked_rem(by(k)),
                            2 => of(k).checked_div_euclid(by(k)),
                            3 => of(k).checked_rem_euclid(by(k)),
                            4 => $t::checked_div(100, by(k)),
                            _ => Some(of(k)),
                        }).collect();
                        if operation == 9 {
                            continue;
                        }
                        let mut out = Field::full(device, 36, 1).unwrap();
                        let what = format!("{} by way {mode} on {device}", stringify!($kernel));
                        let failed = said(device, kernel(&a, &b, mode as i32, &mut out));
                        let count = expected.iter().filter(|e| e.is_none()).count();
                        let message = if matches!(operation, 0 | 2 | 4) {
                            "attempt to divide by zero"
                        } else {
                            "attempt to calculate the remainder with a divisor of zero"
                        };
                        assert_eq!((failed.3.as_str(), failed.4), (message, count), "{what}");
                        let kept = |k: usize| if written { of(k) } else { 1 };
                        same(&what, &out, (0..36).map(|k| expected[k].unwrap_or(kept(k))).collect());
                    }
                }
            })*
        }
    };
}

divisions! {
    i8 divide_i8 in_place_i8 function_i8 divided_i8;
    i16 divide_i16 in_place_i16 function_i16 divided_i16;
    i32 divide_i32 in_place_i32 function_i32 divided_i32;
    i64 divide_i64 in_place_i64 function_i64 divided_i64;
    u8 divide_u8 in_place_u8 function_u8 divided_u8;
    u32 divide_u32 in_place_u32 function_u32 divided_u32;
    u64 divide_u64 in_place_u64 function_u64 divided_u64;
}

macro_rules! round_up {
    ($($t:ident $kernel:ident $rounded:ident;)*) => {$(
        #[func]
        fn $rounded(a: $t, b: $t) -> $t {
            a.div_ceil(b) + 0
        }

        #[kernel]
        fn $kernel(a: &Field<$t>, b: &Field<$t>, mode: i32, out: &mut Field<$t>) {
            for i in out.indices() {
                out[i] = match mode {
                    0 => a[i].div_ceil(b[i]),
                    1 => $t::div_ceil(a[i], b[i]),
                    2 => $rounded(a[i], b[i]),
                    _ => a[i].div_ceil(7) + $t::MAX.div_ceil(2) - $t::MAX / 2 + (100 as $t).div_ceil(a[i] / 2 + 1),
                };
            }
        }
    )*

        fn check_round_up(device: &Device) {
            $({
                let of = |k: usize| [$t::MIN, 7, $t::MAX - 1, $t::MAX, 100, 21][k % 6];
                let by = |k: usize| [3, $t::MAX, 0, $t::MAX - 1, 1, 7][k / 6 % 6];
                let a = Field::from_fn(device, 36, |[k]| of(k)).unwrap();
                let b = Field::from_fn(device, 36, |[k]| by(k)).unwrap();
                for mode in 0..4 {
                    let expected = |k: usize| match mode {
                        3 => of(k) / 7 + $t::from(of(k) % 7 != 0) + 1 + {
                            let d = of(k) / 2 + 1;
                            100 / d + $t::from(100 % d != 0)
                        },
                        _ if by(k) == 0 => 1,
                        _ => of(k) / by(k) + $t::from(of(k) % by(k) != 0),
                    };
                    let mut out = Field::full(device, 36, 1).unwrap();
                    let ended = $kernel(&a, &b, mode, &mut out);
                    if mode == 3 {
                        ended.unwrap();
                    } else {
                        let failed = said(device, ended);
                        assert_eq!((failed.3.as_str(), failed.4), ("attempt to divide by zero", 6));
                    }
                    same(&format!("{} by way {mode} on {device}", stringify!($kernel)), &out, (0..36).map(expected).collect());
                }
            })*
        }
    };
}

round_up! {
    u8 round_up_u8 rounded_u8;
    u16 round_up_u16 rounded_u16;
    u32 round_up_u32 rounded_u32;
    u64 round_up_u64 rounded_u64;
}

const OVERFLOW: u32 = line!() + 2;
#[kernel]
fn overflow(a: i32, b: i32, v: IVec2, out: &mut Field<i32>) {
    for i in out.indices() {
        let w = v / IVec2::new(1, b + 1);
        let u = v / b;
        out[i] = a % b + w.x + u.x;
    }
}

#[kernel]
fn floats(a: &Field<f32>, b: f32, out: &mut Field<f32>) {
    for i in out.indices() {
        let mut v = Vec2::new(a[i], 1.0) / b;
        v /= a[i];
        out[i] = a[i] / b + v.x % b;
        out[i] /= b;
    }
}

/// What an error says: kernel, line, column, message, count.
#[derive(Debug, PartialEq)]
struct Said(&'static str, u32, u32, String, usize);

fn said<T: std::fmt::Debug>(device: &Device, result: swathe::Result<T>) -> Said {
    match ended(device, result).unwrap_err() {
        Error::KernelFailure {
            kernel,
            file,
            line,
            column,
            message,
            count,
        } => {
            assert_eq!(file, file!());
            Said(kernel, line, column, message, count)
        }
        other => panic!("{other:?}"),
    }
}

fn says(kernel: &'static str, line: u32, column: u32, message: &str, count: usize) -> Said {
    Said(kernel, line, column, message.to_owned(), count)
}

static HOOK_WAS_CALLED: AtomicBool = AtomicBool::new(false);

/// A failure is no panic that the panic hook would print.
fn watch_hook() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let text = info.payload_as_str().unwrap_or_default();
        if text.contains("is not positive") || text.contains("divide by zero") {
            HOOK_WAS_CALLED.store(true, Ordering::SeqCst);
        }
        before(info);
    }));
}

pub fn check(device: &Device) {
    watch_hook();
    check_messages(device);
    check_places(device);
    check_functions(device);
    check_divisions(device);
    check_round_up(device);
    check_more_divisions(device);
    assert!(!HOOK_WAS_CALLED.load(Ordering::SeqCst), "the panic hook was called");
    // Called by the host, a function panics.
    let panicked = std::panic::catch_unwind(|| positive(-7, 3)).unwrap_err();
    assert_eq!(panicked.downcast_ref::<String>().unwrap(), "-7 at 3 is not positive");
    assert!(HOOK_WAS_CALLED.load(Ordering::SeqCst));
    assert!(std::panic::catch_unwind(|| divided_i32(1, 0, 0)).is_err());
    HOOK_WAS_CALLED.store(false, Ordering::SeqCst);
}

fn check_messages(device: &Device) {
    let (a, b, c, d, e, f, g) = (-7_i8, 300_i16, i64::MIN, 10_u8, 5_u16, u64::MAX, -3_isize);
    let (h, w, x) = (f16::from_f32(1.5), bf16::from_f32(-2.0), 2.0_f64 / 3.0);
    let mut out = Field::zeros(device, 3).unwrap();
    let got = said(device, scalars(a, b, c, d, e, f, g, h, w, x, &mut out));
    let message = format!("{a} {b} {c:?} {d:#04x} {e:b} {f} {g:+}, {h} {w:?} and {x:.3} {}", 1);
    assert_eq!(got, says("scalars", SCALARS + 4, 9, &message, 3));
    same("scalars", &out, vec![1; 3]);

    for n in [1, 3, 17, 1000] {
        let bad = |i: usize| i % 5 == 2 || i + 1 == n;
        let value = |i: usize| {
            if bad(i) {
                10.0 + i as f32 * 0.1
            } else {
                i as f32 / 1024.0
            }
        };
        let x = Field::from_fn(device, n, |[i]| value(i)).unwrap();
        let mut out = Field::zeros(device, n).unwrap();
        let got = said(device, values(&x, 9.9999, &mut out));
        let first = (0..n).find(|i| bad(*i)).unwrap();
        let v = value(first);
        let message = format!("{v} at {first} is not below {:.2}, {}, {v:?}", 9.9999_f32, true);
        let count = (0..n).filter(|i| bad(*i)).count();
        assert_eq!(got, says("values", VALUES + 4, 9, &message, count));
        same(
            "values",
            &out,
            (0..n).map(|i| if bad(i) { -1.0 } else { value(i) }).collect(),
        );
        values(&x, 1e6, &mut out).unwrap();
        same("values", &out, (0..n).map(value).collect());
    }

    let (v, m) = (Vec3::new(1.0, 2.0, 3.0), Mat2::from_array([[1.0, 2.0], [3.0, -4.5]]));
    let mut out = Field::zeros(device, 2).unwrap();
    compares(10, 1, v, m, &mut out).unwrap();
    same("compares", &out, vec![1; 2]);
    let got = said(device, compares(13, 1, v, m, &mut out));
    let message = "assertion `left == right` failed\n  left: 6\n right: 3";
    assert_eq!(got, says("compares", COMPARES + 2, 9, message, 2));
    let got = said(device, compares(3, -5, v, m, &mut out));
    let message = "assertion `left != right` failed: b of 0\n  left: -5\n right: -5";
    assert_eq!(got, says("compares", COMPARES + 3, 9, message, 2));
    let w = Vec3::new(1.0, -2.25, f32::NAN);
    let got = said(device, compares(3, 5, w, m, &mut out));
    let message = format!("assertion `left == right` failed: {w:.1}\n  left: {w:?}\n right: {v:?}");
    assert_eq!(got, says("compares", COMPARES + 4, 9, &message, 2));
    let m = Mat2::IDENTITY;
    let got = said(device, compares(3, 5, v, m, &mut out));
    assert_eq!(got, says("compares", COMPARES + 5, 9, &format!("{m:?}"), 2));
}

fn check_places(device: &Device) {
    let x = [[1, 7, 2], [3, -4, 5], [7, 7, 7], [-1, 0, 0]];
    let field = Field::from_fn(device, [4, 3], |[i, j]| x[i][j]).unwrap();
    let mut out = Field::full(device, 4, -9).unwrap();
    let got = said(device, nested(&field, &mut out));
    assert_eq!(got, says("nested", NESTED + 9, 17, "x[1, 1] = -4", 2));
    same("nested", &out, vec![8, -9, 0, -9]);

    let mut out = Field::zeros(device, 3).unwrap();
    assert_eq!(serial_part(3, &mut out).unwrap(), 2);
    let got = said(device, serial_part(4, &mut out));
    assert_eq!(got, says("serial_part", SERIAL + 4, 5, "4 of 3", 1));
    same("serial_part", &out, vec![1; 3]);

    let said_of = |k: u32| {
        let x = Field::from_slice(device, &[0, k, 11]).unwrap();
        let mut out = Field::full(device, 3, 77).unwrap();
        let got = said(device, choice(&x, &mut out));
        same("choice", &out, vec![10, 77, 11]);
        got
    };
    assert_eq!(
        said_of(1),
        says("choice", CHOICE + 4, 18, "internal error: entered unreachable code", 1)
    );
    assert_eq!(
        said_of(2),
        says(
            "choice",
            CHOICE + 5,
            18,
            "internal error: entered unreachable code: at 1",
            1
        )
    );
    assert_eq!(said_of(3), says("choice", CHOICE + 6, 18, "three", 1));
    assert_eq!(said_of(4), says("choice", CHOICE + 7, 18, "not yet implemented", 1));
    assert_eq!(said_of(5), says("choice", CHOICE + 12, 21, "explicit panic", 1));

    let x = Field::from_slice(device, &[6, 4, 3, -2]).unwrap();
    let mut out = Field::zeros(device, 4).unwrap();
    let got = said(device, order(&x, 1, &mut out));
    assert_eq!(got, says("order", ORDER + 2, 9, "first", 3));
    same("order", &out, vec![2, 4, 0, 0]);
    let got = said(device, order(&x, 0, &mut out));
    assert_eq!(got, says("order", ORDER + 4, 9, "-2", 3));
    let x = Field::from_slice(device, &[6, 4, 3, 2]).unwrap();
    let got = said(device, order(&x, 0, &mut out));
    assert_eq!(got, says("order", ORDER + 5, 18, "attempt to divide by zero", 2));
    let failed = ended(device, order(&x, 2, &mut out)).unwrap_err();
    assert!(
        matches!(failed, Error::OutOfBounds { count: 4, line, .. } if line == ORDER + 3),
        "{failed}"
    );
    let text = ended(device, order(&x, 0, &mut out)).unwrap_err().to_string();
    let place = format!("{}:{}:18", file!(), ORDER + 5);
    assert_eq!(
        text,
        format!("{place}: kernel `order` failed: attempt to divide by zero (and 1 more failure)")
    );

    let mut out = Field::zeros(device, 2).unwrap();
    debug_only(2, &mut out).unwrap();
    let result = ended(device, debug_only(3, &mut out));
    assert_eq!(result.is_err(), cfg!(debug_assertions));
}

fn check_functions(device: &Device) {
    for n in [1, 3, 17, 1000] {
        let bad = |i: usize| i % 7 == 2 || i + 1 == n;
        let value = |i: usize| if bad(i) { -(i as i32) } else { i as i32 + 1 };
        let x = Field::from_fn(device, n, |[i]| value(i)).unwrap();
        let mut out = Field::zeros(device, n).unwrap();
        let all: Vec<usize> = (0..n).filter(|i| bad(*i) && i % 3 != 1).collect();
        let result = ended(device, calls(&x, &mut out));
        if all.is_empty() {
            result.unwrap();
        } else {
            // The least by the bits of its values, of which the first is a negative number.
            let first = *all.iter().min_by_key(|i| value(**i) as u32).unwrap();
            let message = format!("{} at {first} is not positive", value(first));
            assert_eq!(
                said(device, result),
                says("calls", POSITIVE + 1, 5, &message, all.len())
            );
        }
        let expected = |i: usize| if i % 3 == 1 || bad(i) { -1 } else { 1 + value(i) / 2 };
        same("calls", &out, (0..n).map(expected).collect());
        let count = (0..n).filter(|i| bad(*i)).count();
        assert_eq!(said(device, sum_of_calls(&x)).4, count);
    }
    let x = Field::from_fn(device, 1000, |[i]| i as i32 % 30 + 1).unwrap();
    assert_eq!(
        sum_of_calls(&x).unwrap(),
        (0..1000).map(|i| 2 * (i % 30 + 1)).sum::<i32>()
    );

    for [h, w] in [[1, 1], [3, 5], [17, 4], [40, 50]] {
        let bad = |i: usize, j: usize| (i * w + j) % 6 == 5 || (i + 1 == h && j == 0);
        let value = |i: usize, j: usize| {
            if bad(i, j) {
                if j == 0 { 1000 } else { 0 }
            } else {
                1 + (i * w + j) as i32 % 900
            }
        };
        let x = Field::from_fn(device, [h, w], |[i, j]| value(i, j)).unwrap();
        for kernel in [
            calls_in_rows as fn(&Field<i32, 2>, &mut Field<i32, 2>) -> _,
            calls_whole,
        ] {
            let mut out = Field::zeros(device, [h, w]).unwrap();
            let failed = said(device, kernel(&x, &mut out));
            assert_eq!(failed.4, ndrange([h, w]).filter(|[i, j]| bad(*i, *j)).count());
            for [i, j] in ndrange([h, w]) {
                let expected = if bad(i, j) { -1 } else { 2 * value(i, j) };
                assert_eq!(out.get([i, j]).unwrap(), expected, "{h} x {w}, {i}, {j}");
            }
        }
    }

    // Parentheses around a division are part of it.
    let mut out = Field::full(device, 1, 8).unwrap();
    divides_in_parentheses(2, 2, &mut out).unwrap();
    same("divides_in_parentheses", &out, vec![2]);
    let got = said(device, divides_in_parentheses(0, 2, &mut out));
    let place = (NESTED_DIVISIONS + 1, 10);
    assert_eq!(
        got,
        says(
            "divides_in_parentheses",
            place.0,
            place.1,
            "attempt to divide by zero",
            1
        )
    );
    let got = said(device, divides_in_parentheses(2, 0, &mut out));
    let message = "attempt to calculate the remainder with a divisor of zero";
    assert_eq!(got, says("divides_in_parentheses", place.0, place.1 - 1, message, 1));

    // What the kernel's own text says comes first, wherever the function is called.
    let x = Field::from_slice(device, &[0, 5, 7]).unwrap();
    let at = Field::from_slice(device, &[0, 9, 1]).unwrap();
    let table = Field::from_slice(device, &[10, 20]).unwrap();
    let mut out = Field::full(device, 3, 8).unwrap();
    match ended(device, own_first(&x, &at, &table, &mut out)) {
        Err(Error::OutOfBounds { line, index, count, .. }) => {
            assert_eq!((line, index, count), (OWN_FIRST + 2, vec![9].into_boxed_slice(), 2))
        }
        other => panic!("{other:?}"),
    }
    same("own_first", &out, vec![8, 8, 24]);

    let x = Field::from_slice(device, &[2, 3, 7, 0, 1]).unwrap();
    let mut out = Field::full(device, 5, 8).unwrap();
    assert_eq!(said(device, same_names(&x, &mut out)).4, 5);
    same("same_names", &out, vec![8; 5]);

    let mut out = Field::zeros(device, 2).unwrap();
    call_alone(3, &mut out).unwrap();
    let got = said(device, call_alone(1000, &mut out));
    let message = "internal error: entered unreachable code: no 1000";
    assert_eq!(got, says("call_alone", POSITIVE + 3, 9, message, 1));
    same("call_alone", &out, vec![5, 5]);

    let mut counters = Field::full(device, 4, Counter { n: 10 }).unwrap();
    let mut out = Field::full(device, 4, 7).unwrap();
    let got = said(device, methods(2, &mut counters, &mut out));
    assert_eq!(got.3, "assertion `left != right` failed\n  left: 3\n right: 3");
    same("methods", &out, vec![13, 7, 15, 16]);
    let n = counters.to_vec().unwrap().iter().map(|c| c.n).collect::<Vec<_>>();
    assert_eq!(n, [13, 10, 15, 16]);
}

fn check_more_divisions(device: &Device) {
    let mut out = Field::zeros(device, 2).unwrap();
    let v = IVec2::new(5, i32::MIN);
    overflow(7, 2, v, &mut out).unwrap();
    same("overflow", &out, vec![1 + 5 + 2; 2]);
    let got = said(device, overflow(7, -1, v, &mut out));
    assert_eq!(got, says("overflow", OVERFLOW + 2, 17, "attempt to divide by zero", 2));
    let got = said(device, overflow(7, -2, v, &mut out));
    assert_eq!(
        got,
        says("overflow", OVERFLOW + 2, 17, "attempt to divide with overflow", 2)
    );
    let got = said(device, overflow(7, 0, v, &mut out));
    assert_eq!(got, says("overflow", OVERFLOW + 3, 17, "attempt to divide by zero", 2));
    same("overflow", &out, vec![8; 2]);

    let a = Field::from_slice(device, &[1.0, -2.0, 0.0]).unwrap();
    let mut out = Field::zeros(device, 3).unwrap();
    floats(&a, 0.0, &mut out).unwrap();
    assert!(out.to_vec().unwrap().iter().all(|x| !x.is_finite()));
    floats(&a, 4.0, &mut out).unwrap();
    let expected = |a: f32| (a / 4.0 + a / 4.0 / a % 4.0) / 4.0;
    let got = out.to_vec().unwrap();
    assert_eq!(&got[..2], &[expected(1.0), expected(-2.0)]);
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        scalars,
        values,
        compares,
        nested,
        serial_part,
        choice,
        calls,
        divides_in_parentheses,
        own_first,
        calls_in_rows,
        calls_whole,
        same_names,
        sum_of_calls,
        call_alone,
        methods,
        order,
        debug_only,
        divide_i8,
        in_place_i16,
        function_i32,
        divide_i64,
        in_place_u8,
        function_u64,
        round_up_u8,
        round_up_u64,
        overflow,
        floats
    ]
}
