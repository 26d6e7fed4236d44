//! `if` and `match`.

use swathe::prelude::*;

use super::support::{each, scatter, sources};

const LOW: i32 = -20;
const HIGH: i32 = 20;

mod limits {
    pub const TOP: u8 = 200;
}

struct Codes;

impl Codes {
    const IDLE: u32 = 0;
    const BUSY: u32 = 7;
}

#[kernel]
fn if_values(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let a = if x[i] > 0 { x[i] } else { -x[i] };
        let b = if a < 10 {
            1
        } else if a < 50 {
            2
        } else {
            3
        };
        let c = 10 * if a % 2 == 0 { 1 } else { 2 } + if b == 3 { 100 } else { 0 };
        out[i] = a + if b > 1 { c } else { -c };
    }
}

#[kernel]
fn if_statements(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let mut r = 0;
        if x[i] > 0 {
            r += 1;
        }
        if x[i] % 2 == 0 {
            r += 10;
            if x[i] % 4 == 0 {
                r += 20
            } else {
                r -= 5;
            }
        } else if x[i] % 3 == 0 {
            r += 40;
        }
        if r > 0 {
        } else {
            r = 99;
        }
        out[i] = r
    }
}

#[kernel]
fn match_integers(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        out[i] = match x[i] {
            -100 => 1,
            -1 => 2,
            0 => 3,
            1 | 2 | -7 => 4,
            LOW => 5,
            HIGH => 6,
            3..=9 => 7,
            -50..-20 => 8,
            50.. => 9,
            ..-90 => 10,
            i32::MIN..=-60 => 11,
            other if other % 2 == 0 => other,
            n => -n,
        };
    }
}

#[kernel]
fn match_guards(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let limit = i as i32 % 50;
        out[i] = match x[i] {
            v if v > limit => 1,
            0 | -1 if limit > 25 => 2,
            -30..=30 if x[i] % 2 == 0 => 3,
            mut w => {
                w *= 2;
                w
            }
        };
    }
}

#[kernel]
fn match_tuples(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let a = x[i].rem_euclid(4);
        let b = x[i] > 0;
        out[i] = match (a, b) {
            (0, true) => 1,
            (0, false) => 2,
            (1 | 2, _) => 3,
            (k, true) if k == 3 => 4,
            (k, positive) => {
                if positive {
                    k
                } else {
                    -k
                }
            }
        } + 10
            * match (b, (a, i % 2)) {
                (true, (0..=1, 0)) => 1,
                (_, (2.., 1)) => 2,
                (false, (n, _)) => n + 3,
                _ => 9,
            };
    }
}

#[kernel]
fn match_booleans(x: &Field<i32>, out: &mut Field<bool>) {
    for i in out.indices() {
        let b = match x[i] >= 0 {
            true => x[i] % 3 == 0,
            false => x[i] % 5 != 0,
        };
        out[i] = match b {
            true if x[i] > 50 => false,
            other => other,
        };
    }
}

#[kernel]
fn match_bytes(x: &Field<u8>, out: &mut Field<u32>) {
    for i in out.indices() {
        let code = match x[i] {
            0 => Codes::IDLE,
            1..=9 => Codes::BUSY,
            limits::TOP => 3,
            0x80..=0xbf => 4,
            u8::MAX => 5,
            _ => 6,
        };
        out[i] = match code {
            Codes::IDLE => 100,
            Codes::BUSY => 200,
            c => c,
        };
    }
}

#[kernel]
fn match_letters(x: &Field<u8>, digits: &mut Field<u64>, out: &mut Field<u8>) {
    let mut total = 0;
    for i in out.indices() {
        let [upper, zero] = [b'a' - b'A', b'\x30'];
        total += match x[i] {
            b'0' | b'1' => 1,
            b'2'..=b'9' => (x[i] - zero) as u64,
            b'\'' | b'\n' => 1000,
            _ => 0,
        };
        out[i] = if x[i] >= b'a' && x[i] <= b'z' {
            x[i] - upper
        } else {
            x[i] ^ b' '
        };
    }
    digits[0] = total;
}

#[kernel]
fn match_statement(x: &Field<i64>, out: &mut Field<i64>) {
    for i in out.indices() {
        let mut r = 1;
        match x[i] % 4 {
            0 => {}
            1 => r += 5,
            -1 => {
                r *= 3;
                r -= 1;
            }
            _ => match x[i] > 0 {
                true => r = -2,
                false => (),
            },
        }
        out[i] = r;
    }
}

/// What [`match_integers`] computes, as a chain of conditions.
fn matched(x: i32) -> i32 {
    let cases: [(bool, i32); 12] = [
        (x == -100, 1),
        (x == -1, 2),
        (x == 0, 3),
        ([1, 2, -7].contains(&x), 4),
        (x == -20, 5),
        (x == 20, 6),
        ((3..10).contains(&x), 7),
        ((-50..-20).contains(&x), 8),
        (x >= 50, 9),
        (x < -90, 10),
        (x <= -60, 11),
        (x % 2 == 0, x),
    ];
    cases.into_iter().find_map(|(c, v)| c.then_some(v)).unwrap_or(-x)
}

/// More than 32 bits hold.
const BIG: usize = 1 << 32;

/// Values that 32 bits hold, matched with such and others.
#[kernel]
fn match_beyond(x: &Field<u32>, out: &mut Field<i64>) {
    for i in out.indices() {
        let c = x[i] as usize;
        let a = match c {
            0 | BIG => 1,
            1 => 2,
            2 => 3,
            5_000_000_000 => 4,
            _ => 5,
        };
        let b = match i % 5 {
            BIG => 10,
            1 => 20,
            2 => 30,
            4_294_967_299 => 40,
            _ => 50,
        };
        out[i] = a + b;
    }
}

fn beyond(i: usize) -> u32 {
    [0, 1, 2, 705_032_704, 3][i % 5]
}

#[kernel]
fn matching(x: &Field<i32>, out: &mut Field<i32>) {
    const MOST: i32 = 20;
    for i in out.indices() {
        let v = x[i];
        let small = matches!(v, -3..=3 | 7);
        out[i] = i32::from(small) + 2 * i32::from(matches!((v % 2, i % 3), (0, 1 | 2)));
        if !matches!(v, n if n > MOST || n == -50) && std::matches!(v / 10, MOST | 0 | -1,) {
            out[i] += 4;
        }
        out[i] += 8 * i32::from(matches!(v > 0, true));
    }
}

#[func]
fn last_of(values: [i32; 16]) -> i32 {
    values[15] + values[0]
}

/// Names that arms and blocks bind and change, again and again in one scope.
#[kernel]
fn bound_again(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let v = x[i];
        let a = match v {
            mut k if k > 30 => {
                k += 1;
                k
            }
            k => -k,
        };
        let b = match (v, a) {
            (mut k, 7) => {
                k += 2;
                k
            }
            (mut k, _) => {
                k -= 3;
                k
            }
        };
        let k = 5;
        out[i] = a * k + b;
        {
            out[i] += last_of([v; 16]);
        }
        {
            out[i] -= 3 * last_of([a; 16]);
        }
    }
}

pub fn check(device: &Device) {
    each!(device, bound_again, scatter, |_, v| {
        let a = if v > 30 { v + 1 } else { -v };
        let b = if a == 7 { v + 2 } else { v - 3 };
        5 * a + b + 2 * v - 6 * a
    });
    each!(device, matching, scatter, |i, v: i32| {
        let mut r = i32::from(matches!(v, -3..=3 | 7)) + 2 * i32::from(v % 2 == 0 && i % 3 != 0);
        if !(v > 20 || v == -50) && [20, 0, -1].contains(&(v / 10)) {
            r += 4;
        }
        r + 8 * i32::from(v > 0)
    });
    each!(device, if_values, scatter, |_, x| {
        let a = x.abs();
        let b = 1 + i32::from(a >= 10) + i32::from(a >= 50);
        let c = 10 * (1 + a % 2) + i32::from(b == 3) * 100;
        a + [-c, c, c][b as usize - 1]
    });
    each!(device, if_statements, scatter, |_, x| {
        let mut r = i32::from(x > 0);
        r += match (x % 2 == 0, x % 4 == 0, x % 3 == 0) {
            (true, true, _) => 30,
            (true, false, _) => 5,
            (false, _, true) => 40,
            _ => 0,
        };
        if r > 0 { r } else { 99 }
    });
    each!(device, match_integers, scatter, |_, x| matched(x));
    each!(device, match_integers, |i| i as i32 - 105, |_, x| matched(x));
    each!(device, match_guards, scatter, |i, x| {
        let limit = (i % 50) as i32;
        if x > limit {
            1
        } else if (x == 0 || x == -1) && limit > 25 {
            2
        } else if x.abs() <= 30 && x & 1 == 0 {
            3
        } else {
            x + x
        }
    });
    each!(device, match_tuples, scatter, |i, x| {
        let (a, positive) = (x.rem_euclid(4), x > 0);
        let first = match a {
            0 => 2 - i32::from(positive),
            1 | 2 => 3,
            _ if positive => 4,
            _ => -3,
        };
        let second = if positive && a < 2 && i % 2 == 0 {
            1
        } else if a >= 2 && i % 2 == 1 {
            2
        } else if positive {
            9
        } else {
            a + 3
        };
        first + 10 * second
    });
    each!(device, match_booleans, scatter, |_, x| {
        let b = if x < 0 { x % 5 != 0 } else { x % 3 == 0 };
        b && x <= 50
    });
    each!(device, match_bytes, |i| (i * 3) as u8, |_, x| if x == 0 {
        100
    } else if x < 10 {
        200
    } else if x == 200 {
        3
    } else if x & 0xc0 == 0x80 {
        4
    } else {
        6 - u32::from(x == 255)
    });
    for n in [0, 1, 3, 17, 256, 1000] {
        let text: Vec<u8> = (0..n).map(|k| (k * 7 + k / 256) as u8).collect();
        let x = Field::from_vec(device, text.clone()).unwrap();
        let (mut digits, mut out) = (Field::full(device, 1, 77).unwrap(), Field::full(device, n, 1).unwrap());
        match_letters(&x, &mut digits, &mut out).unwrap();
        let of = |c: &u8| match *c {
            48 | 49 => 1,
            50..=57 => u64::from(c - 48),
            39 | 10 => 1000,
            _ => 0,
        };
        assert_eq!(digits.to_vec().unwrap(), [text.iter().map(of).sum::<u64>()]);
        let shown = |c: u8| if (97..=122).contains(&c) { c - 32 } else { c ^ 32 };
        assert_eq!(out.to_vec().unwrap(), text.into_iter().map(shown).collect::<Vec<u8>>());
    }
    each!(
        device,
        match_statement,
        |i| i64::from(scatter(i)),
        |_, x| if x % 4 == 0 {
            1
        } else if x % 4 == 1 {
            6
        } else if x % 4 == -1 {
            2
        } else if x > 0 {
            -2
        } else {
            1
        }
    );
    each!(device, match_beyond, beyond, |i, x| {
        let a = match x {
            0 => 1,
            1 => 2,
            2 => 3,
            _ => 5,
        };
        a + match i % 5 {
            1 => 20,
            2 => 30,
            _ => 50,
        }
    });
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        bound_again,
        if_values,
        if_statements,
        match_integers,
        match_guards,
        match_tuples,
        match_booleans,
        match_bytes,
        match_letters,
        match_statement,
        match_beyond,
        matching
    ]
}
