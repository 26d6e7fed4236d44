//! Operators on every scalar type, their assigning forms, and short circuits.

use swathe::prelude::*;

use super::support::{each, field, same, scatter, sources};

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Results<T> {
    arith: [T; 8],
    bits: [T; 10],
    compare: [bool; 6],
    assigned: T,
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct FloatResults<T> {
    arith: [T; 7],
    compare: [bool; 6],
    assigned: T,
}

macro_rules! integers {
    ($($t:ident)*) => {
        $(mod $t {
            use super::*;

            type Num = std::primitive::$t;

            #[kernel]
            pub fn operators(x: &Field<[Num; 2]>, out: &mut Field<Results<Num>>) {
                for i in out.indices() {
                    let a = x[i][0];
                    let b = x[i][1];
                    let n = (b & 7) as u32 + i as u32 % (Num::BITS - 7);
                    out[i].arith = [
                        a / 4 + b / 4,
                        a / 4 + Num::MAX / 4 - b / 4,
                        (a % 11) * (b % 11),
                        a / b,
                        a % b,
                        (a / 2) * 2 + a % 2,
                        if a > b { a - b / 2 * 0 } else { b },
                        7 % 4 + 3 * 2 - 10 / 3,
                    ];
                    out[i].bits = [
                        a & b,
                        a | b,
                        a ^ b,
                        !a,
                        a << n,
                        a >> n,
                        a >> 3u8,
                        b << 1i64,
                        (a & 0x55 | b & 0x2a) ^ 0x0f,
                        !(a ^ b) & 1,
                    ];
                    out[i].compare = [a == b, a != b, a < b, a <= b, a > b, a >= b];
                    let mut c = a / 8;
                    c += b / 8;
                    c -= 1 / 2;
                    c /= 3;
                    c *= 2;
                    c %= 100;
                    c &= 0x7e;
                    c |= b & 1;
                    c ^= 0x11;
                    c <<= 1 - (b & 1) * 0;
                    c >>= 2u16;
                    out[i].assigned = c;
                    out[i].assigned |= 1;
                    out[i].assigned <<= 1;
                    out[i].assigned -= c & 1;
                }
            }

            fn reference(i: usize, [a, b]: [Num; 2]) -> Results<Num> {
                let n = (b as u8 & 7) as u32 + i as u32 % (Num::BITS - 7);
                let order = a.cmp(&b);
                let c = a.wrapping_div(8).wrapping_add(b.wrapping_div(8)).wrapping_div(3).wrapping_mul(2);
                let c = (((c.wrapping_rem(100) & 0x7e) | (b & 1)) ^ 0x11).wrapping_shl(1).wrapping_shr(2);
                Results {
                    arith: [
                        a.wrapping_div(4).wrapping_add(b.wrapping_div(4)),
                        a.wrapping_div(4).wrapping_add(Num::MAX.wrapping_div(4)).wrapping_sub(b.wrapping_div(4)),
                        a.wrapping_rem(11).wrapping_mul(b.wrapping_rem(11)),
                        a.wrapping_div(b),
                        a.wrapping_rem(b),
                        a,
                        a.max(b),
                        6,
                    ],
                    bits: [
                        a & b,
                        !(!a & !b),
                        (a | b) & !(a & b),
                        Num::MAX ^ Num::MIN ^ a,
                        a.wrapping_shl(n),
                        a.wrapping_shr(n),
                        a.wrapping_shr(3),
                        b.wrapping_add(b),
                        ((a & 0x55) + (b & 0x2a)) ^ 0x0f,
                        (a & 1) ^ (b & 1) ^ 1,
                    ],
                    compare: [
                        order.is_eq(),
                        order.is_ne(),
                        order.is_lt(),
                        order.is_le(),
                        order.is_gt(),
                        order.is_ge(),
                    ],
                    assigned: (c | 1).wrapping_shl(1) - (c & 1),
                }
            }

            pub fn check(device: &Device) {
                let edges = [0, 1, 2, 3, 7, 10, 11, 63, 100, Num::MAX, Num::MAX - 1, Num::MAX / 2, Num::MIN, Num::MIN + 1];
                let values: Vec<[Num; 2]> = edges
                    .into_iter()
                    .chain(edges.map(|e| (!e).wrapping_add(1)))
                    .flat_map(|a| edges.into_iter().chain(edges.map(|e| !e)).map(move |b| [a, b]))
                    .filter(|[a, b]| *b != 0 && a.checked_div(*b).is_some())
                    .collect();
                let x = field(device, &values);
                let mut out = Field::zeros(device, values.len()).unwrap();
                operators(&x, &mut out).unwrap();
                let expected = values.into_iter().enumerate().map(|(i, v)| reference(i, v)).collect();
                same(concat!("operators of ", stringify!($t)), &out, expected);
            }
        })*

        fn check_integers(device: &Device) {
            $($t::check(device);)*
        }

        fn integer_sources() -> Vec<(&'static str, swathe::Result<String>)> {
            vec![$((concat!("operators of ", stringify!($t)), $t::operators::cuda_source())),*]
        }
    };
}

integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

macro_rules! floats {
    ($($t:ident)*) => {
        $(mod $t {
            use super::*;

            type Num = std::primitive::$t;

            #[kernel]
            pub fn operators(x: &Field<[Num; 2]>, out: &mut Field<FloatResults<Num>>) {
                for i in out.indices() {
                    let a = x[i][0];
                    let b = x[i][1];
                    out[i].arith = [a + b, a - b, a * b, a / b, a % b, -a, -(a - b) * 2.0 / 4.0];
                    out[i].compare = [a == b, a != b, a < b, a <= b, a > b, a >= b];
                    let mut c = a;
                    c += 1.0;
                    c -= b;
                    c *= 0.5;
                    c /= 3.0;
                    c %= 1.25;
                    out[i].assigned = c;
                    out[i].assigned *= -2.0;
                }
            }

            pub fn check(device: &Device) {
                let edges = [0.0, -0.0, 1.0, -1.0, 0.1, 2.5, -7.25, 1e-30, 3e38, Num::MIN_POSITIVE / 8.0, Num::MAX,
                    Num::INFINITY, Num::NEG_INFINITY, Num::NAN];
                let values: Vec<[Num; 2]> = edges.iter().flat_map(|a| edges.map(|b| [*a, b])).collect();
                let x = field(device, &values);
                let mut out = Field::zeros(device, values.len()).unwrap();
                operators(&x, &mut out).unwrap();
                // NaN differs from itself, and its bits are not part of the language.
                let plain = |v: Num| if v.is_nan() { None } else { Some(v.to_bits()) };
                for ([a, b], got) in values.into_iter().zip(out.to_vec().unwrap()) {
                    use std::ops::{Add, Div, Mul, Neg, Rem, Sub};
                    // A GPU may scale by powers of two before it rounds.
                    let difference = a.sub(b).neg();
                    let halves = [difference.mul(2.0).div(4.0), difference.mul(0.5)];
                    let half = halves[usize::from(plain(got.arith[6]) == plain(halves[1]))];
                    let expected = [a.add(b), a.sub(b), a.mul(b), a.div(b), a.rem(b), a.neg(), half];
                    assert_eq!(got.arith.map(plain), expected.map(plain), "{a} and {b}");
                    let order = a.partial_cmp(&b);
                    let is = |orders: &[std::cmp::Ordering]| order.is_some_and(|o| orders.contains(&o));
                    use std::cmp::Ordering::{Equal, Greater, Less};
                    let expected = [is(&[Equal]), !is(&[Equal]), is(&[Less]), is(&[Less, Equal]), is(&[Greater]),
                        is(&[Greater, Equal])];
                    assert_eq!(got.compare, expected, "{a} and {b}");
                    let expected = a.add(1.0).sub(b).mul(0.5).div(3.0).rem(1.25).mul(-2.0);
                    assert_eq!(plain(got.assigned), plain(expected), "{a} and {b}");
                }
            }
        })*

        fn check_floats(device: &Device) {
            $($t::check(device);)*
        }

        fn float_sources() -> Vec<(&'static str, swathe::Result<String>)> {
            vec![$((concat!("operators of ", stringify!($t)), $t::operators::cuda_source())),*]
        }
    };
}

floats! { f32 f64 }

/// `usize` and `isize` are no elements, but types of variables.
#[kernel]
fn sizes(x: &Field<i32>, out: &mut Field<[i64; 6]>) {
    for i in out.indices() {
        let a = x[i] as isize;
        let b = i as isize - 7;
        let u = x[i].unsigned_abs() as usize;
        let v = i + 1;
        let mut w = u * v;
        w ^= v;
        w <<= 2;
        w += v;
        out[i] = [
            (a * b - a / 3) as i64,
            (a % 7 + (b >> 1) + (-a & 0xff)) as i64,
            (u / v + u % v) as i64,
            w as i64,
            (u < v) as i64 + 2 * (a <= b) as i64,
            (!u & 0xffff) as i64 + (isize::MAX - u as isize) as i64 % 1000,
        ];
    }
}

/// The right side would be out of bounds where the left side decides.
#[kernel]
fn short_circuits(x: &Field<i32>, out: &mut Field<i32>) {
    let n = x.len();
    for i in out.indices() {
        let mut r = 0;
        if i > 0 && x[i - 1] > 0 {
            r += 1;
        }
        if i + 1 >= n || x[i + 1] > 0 {
            r += 2;
        }
        let both = i > 1 && i + 2 < n && x[i - 2] < x[i + 2];
        let either = !both && (i < 3 || x[i - 3] < 0);
        let ok = x[i] != 0 && 100 / x[i] > 5;
        if both | either & ok {
            r += 4;
        }
        let mut k = i;
        while k < n && x[k] < 50 {
            k += 1;
        }
        out[i] = r + 8 * (k - i) as i32;
    }
}

/// Right sides that need statements, one within the other.
#[kernel]
fn grouped(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let v = x[i];
        let a = v > -50
            && (v % 2 == 0 && {
                let half = v / 2;
                half % 2 == 0 || half == 7
            });
        let b = v < -80
            || (v % 3 == 0
                || (v > 40 && {
                    let rest = v % 7;
                    rest * rest > 4
                }));
        let c = (v > 0 && {
            let rest = v % 5;
            rest < 2
        }) || (v < -10 && {
            let rest = v % 4;
            rest == -1
        });
        let mut steps = 0;
        while steps < 9
            && (v % 2 == 0 && {
                let left = v - 10 * steps;
                left > 0
            })
        {
            steps += 1;
        }
        out[i] = a as i32 + 2 * (b as i32) + 4 * (c as i32) + 8 * steps;
    }
}

#[kernel]
fn booleans(x: &Field<i32>, out: &mut Field<[bool; 10]>) {
    for i in out.indices() {
        let a = x[i] > 0;
        let b = x[i] % 2 == 0;
        let mut c = a;
        c &= b;
        let mut d = a;
        d |= b;
        let mut e = a;
        e ^= true;
        out[i] = [
            a & b,
            a | b,
            a ^ b,
            !a,
            a == b,
            a != b,
            a < b,
            c || e && d,
            a && !b || false,
            a >= b,
        ];
        out[i][9] ^= d;
    }
}

/// Values are computed in the order in which they are written.
#[kernel]
fn order(x: &Field<i32>, out: &mut Field<[i32; 4]>) {
    for i in out.indices() {
        let mut n = x[i];
        let a = [
            {
                n += 1;
                n
            },
            {
                n *= 2;
                n
            },
            n - 3,
        ];
        let sum = {
            n += 5;
            n
        } * 3
            + {
                n -= 1;
                n
            };
        out[i] = [a[0], a[1], a[2], sum];
    }
}

/// Compared backwards. `partial_cmp` is the host's alone.
#[derive(Element, Clone, Copy, Debug)]
struct Rank {
    place: i32,
}

#[func]
impl PartialEq for Rank {
    fn eq(&self, other: &Rank) -> bool {
        self.place / 2 == other.place / 2
    }
}

#[func]
impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Rank) -> Option<std::cmp::Ordering> {
        let names = [self, other].map(|rank| format!("{rank:?}"));
        (names[0].len() < 100).then(|| other.place.cmp(&self.place))
    }

    fn lt(&self, other: &Rank) -> bool {
        self.place > other.place
    }

    fn ge(&self, other: &Rank) -> bool {
        self.place <= other.place
    }
}

#[kernel]
fn compares(x: &Field<i32>, out: &mut Field<i32>) {
    for i in x.indices() {
        let (a, b) = (Rank { place: x[i] }, Rank { place: 7 });
        out[i] = (a < b) as i32 + (a >= b) as i32 * 2 + (a == b) as i32 * 4 + (a != b) as i32 * 8;
    }
}

/// The least number has no negative.
#[kernel]
fn least(x: &Field<i64>, out: &mut Field<i64>) {
    for i in out.indices() {
        let sum = (x[i] ^ 5) & 1023;
        out[i] = (sum * 2 + x[i]) + i64::MIN;
    }
}

pub fn check(device: &Device) {
    each!(device, least, |i| i as i64, |_, x: i64| (((x ^ 5) & 1023) * 2 + x)
        + i64::MIN);
    each!(device, compares, |i| i as i32 % 17, |_, x| {
        // `!=` is what Rust makes of `eq`.
        let equal = if x / 2 == 3 { 4 } else { 8 };
        equal + if x > 7 { 1 } else { 2 }
    });
    check_integers(device);
    check_floats(device);
    each!(device, sizes, scatter, |i, x| {
        let (a, b) = (i64::from(x), i as i64 - 7);
        let (u, v) = (a.abs(), i as i64 + 1);
        [
            a * b - a / 3,
            a % 7 + b.div_euclid(2) + (-a).rem_euclid(256),
            u / v + u % v,
            4 * ((u * v) ^ v) + v,
            i64::from(u < v) + 2 * i64::from(a <= b),
            0xffff - u + (i64::MAX - u) % 1000,
        ]
    });
    for n in super::support::SIZES {
        let values: Vec<i32> = (0..n).map(scatter).collect();
        let x = field(device, &values);
        let mut out = Field::zeros(device, n).unwrap();
        short_circuits(&x, &mut out).unwrap();
        let at = |i: usize, by: isize| i.checked_add_signed(by).and_then(|k| values.get(k)).copied();
        let expected = (0..n).map(|i| {
            let before = at(i, -1).is_some_and(|v| v > 0);
            let after = at(i, 1).is_none_or(|v| v > 0);
            let both = at(i, -2).zip(at(i, 2)).is_some_and(|(a, b)| a < b);
            let either = !both && at(i, -3).is_none_or(|v| v < 0);
            let ok = 100i32.checked_div(values[i]).is_some_and(|q| q > 5);
            let run = values[i..].iter().take_while(|v| **v < 50).count();
            i32::from(before) + 2 * i32::from(after) + 4 * i32::from(both || (either && ok)) + 8 * run as i32
        });
        same("short_circuits", &out, expected.collect());
    }
    each!(device, grouped, scatter, |_, x| {
        let a = x > -50 && x % 2 == 0 && (x % 4 == 0 || x / 2 == 7);
        let b = x < -80 || x % 3 == 0 || (x > 40 && (x % 7).pow(2) > 4);
        let c = (x > 0 && x % 5 < 2) || (x < -10 && x % 4 == -1);
        let steps = if x % 2 == 0 {
            (0..9).filter(|k| x - 10 * k > 0).count()
        } else {
            0
        };
        i32::from(a) + 2 * i32::from(b) + 4 * i32::from(c) + 8 * steps as i32
    });
    each!(device, booleans, scatter, |_, x| {
        let (a, b) = (u8::from(x > 0), u8::from(x % 2 == 0));
        [
            a * b,
            a.max(b),
            (a + b) % 2,
            1 - a,
            1 - (a + b) % 2,
            (a + b) % 2,
            (1 - a) * b,
            (a * b).max((1 - a) * b),
            a * (1 - b),
            u8::from((a >= b) != (a + b > 0)),
        ]
        .map(|v| v == 1)
    });
    each!(device, order, scatter, |_, x| {
        let (a, b) = (x + 1, 2 * x + 2);
        [a, b, b - 3, 3 * (b + 5) + b + 4]
    });
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    let mut all = sources![least, compares, sizes, short_circuits, grouped, booleans, order];
    all.extend(integer_sources());
    all.extend(float_sources());
    all
}
