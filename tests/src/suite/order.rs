//! The order of evaluation: each kind of expression with an operand that changes what the others read, beside the same text as plain Rust.
#![allow(unused_variables, unused_mut, unused_braces, unused_assignments)]

use swathe::Error;
use swathe::prelude::*;

use super::support::{ended, field, same, sources};

/// Eight results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Element)]
pub struct Eight {
    a: f32,
    b: f32,
    c: f32,
    d: f32,
    e: f32,
    f: f32,
    g: f32,
    h: f32,
}

#[func]
impl Eight {
    fn plus(self, o: Eight) -> Eight {
        Eight {
            a: self.a + o.a,
            b: self.b + o.b,
            c: self.c + o.c,
            d: self.d + o.d,
            e: self.e + o.e,
            f: self.f + o.f,
            g: self.g + o.g,
            h: self.h + o.h,
        }
    }
}

impl Eight {
    fn all(self) -> [f32; 8] {
        [self.a, self.b, self.c, self.d, self.e, self.f, self.g, self.h]
    }
}

#[func]
fn bump(k: &mut i32) -> i32 {
    *k += 1;
    *k
}

#[func]
fn raise(x: &mut f32) -> f32 {
    *x = *x * 1.5 + 0.75;
    *x
}

#[func]
fn turn(v: &mut Vec2) -> Vec2 {
    *v = Vec2::new(v.y * 2.0 + 1.0, v.x * -0.5);
    *v
}

#[func]
fn three(a: i32, b: i32, c: i32) -> f32 {
    (a * 100 + b * 10 - c) as f32
}

/// Takes long enough to be worth lanes.
#[func]
fn halved(k: i32) -> i32 {
    let mut left = k * 1000 + 7;
    while left > 100 {
        left /= 2;
    }
    left
}

/// Its methods have the names of built-in ones, and take `self` in all ways.
#[derive(Clone, Copy, Element)]
struct Meter {
    a: f32,
}

#[func]
impl Meter {
    fn log(&mut self, by: f32) -> f32 {
        self.a = self.a * 1.25 + by;
        self.a
    }
    fn dot(&self, by: f32) -> f32 {
        self.a * by - 1.0
    }
    fn powf(self, by: f32) -> f32 {
        self.a * 3.0 + by
    }
    fn distance(&mut self, by: f32) -> f32 {
        self.a -= by;
        self.a
    }
    fn hypot(self, by: Meter) -> f32 {
        self.a * 10.0 + by.a
    }
    fn raise(&mut self) -> f32 {
        self.a += 1.5;
        self.a
    }
    fn raised(&mut self) -> Meter {
        self.a += 2.5;
        *self
    }
}

#[func]
fn change(m: &mut Meter) -> f32 {
    m.log(3.0) + (*m).log(2.0) * m.powf(m.raise())
}

#[derive(Clone, Copy, Element)]
struct Pair {
    one: i32,
    two: i32,
}

#[func]
impl Pair {
    fn weighed(self, more: i32) -> f32 {
        (self.one * 100 + self.two * 10 + more) as f32
    }
}

/// Each body as a plain function, as a `#[func]`, and in kernels.
macro_rules! orders {
    ($names:tt $($group:ident { $a:block $b:block $c:block $d:block $e:block $f:block $g:block $h:block })*) => {
        $(pub mod $group {
            use super::*;
            orders!(@items $names a $a b $b c $c d $d e $e f $f g $g h $h);
        })*

        pub fn check(device: &Device) {
            let mut wrong = Vec::new();
            $({
                use $group::*;
                let name = stringify!($group);
                let mut compare = |how: &str, plain: fn(i32, f32) -> Eight, run: Run<'_>| compare(device, &format!("{name}, {how}"), plain, run, &mut wrong);
                compare("kernel", plain, &|k, x, out| kernel(k, x, out));
                compare("strict", plain, &|k, x, out| strict(k, x, out));
                compare("fast_math", plain, &|k, x, out| fast(k, x, out));
                compare("called", plain, &|k, x, out| called(k, x, out));
                compare("looped", looped_plain, &|k, x, out| looped(k, x, out));
                on_host(&format!("{name}, on the host"), plain, function, &mut wrong);
            })*
            assert!(wrong.is_empty(), "on {device}: {}", wrong.join("\n"));
        }

        pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
            let mut all = Vec::new();
            $(all.extend(sources![$group::kernel, $group::strict, $group::fast, $group::looped, $group::called]);)*
            all
        }
    };
    (@items ($k:ident $x:ident $y:ident $v:ident $m:ident) $($member:ident $case:block)*) => {
        pub fn plain($k: i32, $x: f32) -> Eight {
            let ($y, $v, $m) = ($x + 0.5, Vec2::new($x, 2.0), Meter { a: $x });
            Eight { $($member: { let (mut $k, mut $x, mut $y, mut $v, mut $m) = ($k, $x, $y, $v, $m); $case }),* }
        }

        #[func]
        pub fn function($k: i32, $x: f32) -> Eight {
            let ($y, $v, $m) = ($x + 0.5, Vec2::new($x, 2.0), Meter { a: $x });
            Eight { $($member: { let (mut $k, mut $x, mut $y, mut $v, mut $m) = ($k, $x, $y, $v, $m); $case }),* }
        }

        #[kernel]
        pub fn kernel(ks: &Field<i32>, xs: &Field<f32>, out: &mut Field<Eight>) {
            for i in out.indices() {
                let ($k, $x, $y, $v, $m) = (ks[i], xs[i], xs[i] + 0.5, Vec2::new(xs[i], 2.0), Meter { a: xs[i] });
                out[i] = Eight { $($member: { let (mut $k, mut $x, mut $y, mut $v, mut $m) = ($k, $x, $y, $v, $m); $case }),* };
            }
        }

        #[kernel(strict)]
        pub fn strict(ks: &Field<i32>, xs: &Field<f32>, out: &mut Field<Eight>) {
            for i in out.indices() {
                let ($k, $x, $y, $v, $m) = (ks[i], xs[i], xs[i] + 0.5, Vec2::new(xs[i], 2.0), Meter { a: xs[i] });
                out[i] = Eight { $($member: { let (mut $k, mut $x, mut $y, mut $v, mut $m) = ($k, $x, $y, $v, $m); $case }),* };
            }
        }

        #[kernel(fast_math)]
        pub fn fast(ks: &Field<i32>, xs: &Field<f32>, out: &mut Field<Eight>) {
            for i in out.indices() {
                let ($k, $x, $y, $v, $m) = (ks[i], xs[i], xs[i] + 0.5, Vec2::new(xs[i], 2.0), Meter { a: xs[i] });
                out[i] = Eight { $($member: { let (mut $k, mut $x, mut $y, mut $v, mut $m) = ($k, $x, $y, $v, $m); $case }),* };
            }
        }

        /// With a loop, which is cut into regions where it runs in lanes.
        #[kernel]
        pub fn looped(ks: &Field<i32>, xs: &Field<f32>, out: &mut Field<Eight>) {
            for i in out.indices() {
                let mut sum = Eight { a: 0.0, b: 0.0, c: 0.0, d: 0.0, e: 0.0, f: 0.0, g: 0.0, h: 0.0 };
                for j in 0..3_i32 {
                    let ($k, $x) = (ks[i] + j, xs[i] + j as f32);
                    let ($y, $v, $m) = ($x + 0.5, Vec2::new($x, 2.0), Meter { a: $x });
                    $(sum.$member += { let (mut $k, mut $x, mut $y, mut $v, mut $m) = ($k, $x, $y, $v, $m); $case };)*
                }
                out[i] = sum;
            }
        }

        pub fn looped_plain(k: i32, x: f32) -> Eight {
            (0..3_i32).map(|j| plain(k + j, x + j as f32)).fold(Eight::default(), Eight::plus)
        }

        #[kernel]
        pub fn called(ks: &Field<i32>, xs: &Field<f32>, out: &mut Field<Eight>) {
            for i in out.indices() {
                out[i] = function(ks[i], xs[i]);
            }
        }
    };
}

mod operands {
    use super::*;

    orders! {
        (k x y v m)
        floats {
            { x.atan2(raise(&mut x)) }
            { x.powf(raise(&mut x) * 0.1) }
            { x.hypot(raise(&mut x)) }
            { raise(&mut x).log(x + 2.0) + x.log(raise(&mut x)) }
            { raise(&mut x).atan2(x) * y }
            { v.x.atan2(turn(&mut v).y) + v.y }
            { x.atan2(x.hypot(raise(&mut x))) }
            { x.hypot({ x += 1.0; x }) + x.max(raise(&mut x)) }
        }
        vectors {
            { v.dot(turn(&mut v)) }
            { turn(&mut v).dot(v) }
            { v.distance(turn(&mut v)) }
            { v.distance_squared({ v.x += 1.5; turn(&mut v) }) }
            { (v + turn(&mut v)).norm() }
            { (v * 2.0).distance(turn(&mut v)) + v.norm() }
            { (v * raise(&mut x) + Vec2::new(x, raise(&mut x))).dot(v) }
            { let mut u = v; v += turn(&mut u) * raise(&mut x); v.dot(Vec2::new(x, 1.0)) }
        }
        own_methods {
            { m.log(2.0) * 3.0 + m.log(raise(&mut x)) }
            { m.log(m.dot(2.0)) + m.a }
            { m.powf(m.raise()) + m.a }
            { m.distance(raise(&mut x)) + m.a * 2.0 + x }
            { m.hypot(m.raised()) }
            { m.raised().hypot(m) }
            { Pair { one: bump(&mut k), two: bump(&mut k) * 2 }.weighed(bump(&mut k)) }
            { m.dot(raise(&mut x)) + (m).log(2.0) + change(&mut m) * x + m.a }
        }
        sums {
            { (x + raise(&mut x)) * y }
            { x * raise(&mut x) + y }
            { y - x * raise(&mut x) }
            { x * y + raise(&mut x) * x }
            { raise(&mut x) + x * y }
            { x += x * raise(&mut x); x }
            { x -= raise(&mut x) * y; x + y }
            { (y * raise(&mut y) - x) - y * raise(&mut x) * x }
        }
        quotients {
            { x / raise(&mut x).sqrt() }
            { x / (y * raise(&mut y).sqrt()) }
            { y / (x.sqrt() * raise(&mut x)) }
            { x / (x * raise(&mut x).sqrt()) + x }
            { raise(&mut x) / x.sqrt() }
            { x / (raise(&mut x) * x.sqrt()) }
            { (k / bump(&mut k) * 10 + bump(&mut k) / k * 100 + k % bump(&mut k)) as f32 }
            { (k.rem_euclid(bump(&mut k)) + i32::rem_euclid(k * 2 + 1, bump(&mut k)) * 10 + k.div_euclid(bump(&mut k)) * 100) as f32 }
        }
        integers {
            { (k * bump(&mut k) - bump(&mut k) * k) as f32 }
            { ((k << (bump(&mut k) % 5)) ^ k | bump(&mut k) & k) as f32 }
            { k += bump(&mut k) * k; k as f32 }
            { k /= bump(&mut k) - 3; k as f32 }
            { (k.max(bump(&mut k)) + bump(&mut k).min(k) * 10 - k.pow(bump(&mut k) as u32 % 2)) as f32 }
            { (k as f32 - bump(&mut k) as f32) * k as f32 + -k as f32 }
            { if k < bump(&mut k) && bump(&mut k) > k || bump(&mut k) == k { three(k, 1, 2) } else { three(k, 3, 4) } }
            { if bump(&mut k) < k || k >= bump(&mut k) && bump(&mut k) > 0 { three(k, 1, 2) } else { three(k, 3, 4) } }
        }
        composed {
            { let p = Pair { two: bump(&mut k), one: bump(&mut k) * k }; p.weighed(k) }
            { let p = Pair { one: bump(&mut k), ..Pair { one: 1, two: bump(&mut k) } }; p.weighed(bump(&mut k)) }
            { let c = [k, bump(&mut k), k * 2, bump(&mut k)]; three(c[0], c[1], c[2] + c[3]) }
            { let (a, b, c) = (k, bump(&mut k), k); three(a, b, c) + x * y + v.x }
            { three(k, bump(&mut k), k) + three(bump(&mut k), k, bump(&mut k)) }
            { let c = [[bump(&mut k); 2], [k; 2]]; three(c[0][1], c[1][0], bump(&mut k)) }
            { let c = [[k, bump(&mut k)], [bump(&mut k), k]]; c[bump(&mut k) as usize % 2][k as usize % 2] as f32 }
            { let (a, (b, c)) = (bump(&mut k) - k * 2, (k, bump(&mut k))); let n: i32 = -bump(&mut k); three(a, b, c) - (n * k) as f32 }
        }
        calls {
            { (halved(k) + bump(&mut k) + halved(k)) as f32 }
            { (bump(&mut k) * 1000 + halved(k) - k * halved(bump(&mut k))) as f32 }
            { three(halved(k), bump(&mut k), halved(k)) }
            { x.atan2(raise(&mut x)) * halved(k) as f32 + x }
            { k += halved(bump(&mut k)) * k; k as f32 }
            { if halved(k) % 7 > bump(&mut k) % 7 { three(k, halved(k), bump(&mut k)) } else { three(bump(&mut k), k, halved(k)) } }
            { let mut s = 0; while bump(&mut k) < 40 { s += halved(k) % 7 * bump(&mut k) + k; } (s + k) as f32 }
            { (x + halved(bump(&mut k)) as f32) * k as f32 - x * halved(k) as f32 }
        }
        places {
            { let c = [3, 5, 9, 17]; let mut n = 0_i32; (c[bump(&mut n) as usize] * 10 + c[n as usize] - c[bump(&mut n) as usize]) as f32 }
            { let c = [[3, 5, 9], [17, 33, 65]]; let mut n = -1; c[bump(&mut n) as usize][bump(&mut n) as usize] as f32 + n as f32 }
            { let mut c = [3, 5, 9, 17]; let mut n = 0; c[bump(&mut n) as usize] = bump(&mut n) * 100; three(c[1], c[2], c[3]) }
            { let mut c = [3, 5, 9, 17]; let mut n = 0; c[bump(&mut n) as usize] += bump(&mut n) * 100; three(c[1], c[2], c[3]) }
            { let mut c = [0.5, x, y, 4.0]; let mut n = 0; c[bump(&mut n) as usize] += bump(&mut n) as f32 * y; c[0] + c[1] * 3.0 + c[2] * 7.0 }
            { let mut c = [0.5, x, y, 4.0]; let mut n = 0; c[n as usize] -= bump(&mut n) as f32 * x; c[0] + c[1] * 3.0 + c[2] * 7.0 }
            { let mut s = 0; for j in bump(&mut k)..bump(&mut k) * 2 { s = s * 3 % 1001 + j; } (s + k) as f32 + v.x }
            { (match bump(&mut k) % 3 { 0 => k, 1 => bump(&mut k) * 10, _ => bump(&mut k) * k }) as f32 }
        }
    }
}

pub fn check(device: &Device) {
    operands::check(device);
    updates::check(device);
    check_positions(device);
    check_references(device);
    check_temporaries(device);
    check_ranges(device);
    check_parentheses(device);
    check_failures(device);
}

#[func]
fn two_more(k: &mut usize) -> usize {
    *k += 2;
    3
}

/// References in parentheses.
#[func]
#[allow(unused_parens)]
fn in_parentheses(v: &mut f32, k: &mut i32) -> f32 {
    let angle = v.atan2(raise((v)));
    angle + bump((&mut *k)) as f32 + bump((k)) as f32
}

#[kernel]
#[allow(unused_parens)]
fn parentheses(x: &Field<f32>, out: &mut Field<f32>) {
    for i in out.indices() {
        let (mut v, mut k) = (x[i], i as i32);
        let first = in_parentheses((&mut v), &mut k);
        out[i] = first + 10.0 * v + 100.0 * k as f32;
    }
}

fn check_parentheses(device: &Device) {
    let x: Vec<f32> = (0..17).map(|i| i as f32 * 0.5 + 1.0).collect();
    let mut out = Field::full(device, 17, 0.0).unwrap();
    parentheses(&field(device, &x), &mut out).unwrap();
    let got = out.to_vec().unwrap();
    for (i, (got, x)) in got.into_iter().zip(x).enumerate() {
        let (v, k) = (x * 1.5 + 0.75, i as f32);
        let expected = x.atan2(v) + (k + 1.0) + (k + 2.0) + 10.0 * v + 100.0 * (k + 2.0);
        assert!(
            (got - expected).abs() <= 1e-5 * expected,
            "{i}: {got} instead of {expected}"
        );
    }
}

/// Parts of ranges that later parts change.
#[kernel]
fn ranges(counts: &mut Field<i32>, out: &mut Field<i32>, n: usize) -> usize {
    let mut a = n;
    for i in (a..20).step_by(two_more(&mut a)) {
        counts[i] += 1;
    }
    for i in a..two_more(&mut a) + a {
        counts[i] += 100;
    }
    for [i, j] in ndrange([a, two_more(&mut a)]) {
        counts[i + 3 * j].atomic_add(10_000);
    }
    for i in out.indices() {
        let mut a = i % 3;
        let mut s = 0;
        for q in (a..20).step_by(two_more(&mut a)) {
            s = s * 3 + q as i32;
        }
        out[i] = s;
    }
    a
}

fn check_ranges(device: &Device) {
    let mut expected = [0; 40];
    (2..20).step_by(3).for_each(|i| expected[i] += 1);
    // From 4, with an end of 3 + 6.
    (4..9).for_each(|i| expected[i] += 100);
    for [i, j] in swathe::ndrange([6, 3]) {
        expected[i + 3 * j] += 10_000;
    }
    let (mut counts, mut out) = (Field::full(device, 40, 0).unwrap(), Field::full(device, 17, 0).unwrap());
    assert_eq!(ranges(&mut counts, &mut out, 2).unwrap(), 8);
    same("counts", &counts, expected.to_vec());
    let folded = |i: usize| (i % 3..20).step_by(3).fold(0_i32, |s, q| s * 3 + q as i32);
    same("ranges", &out, (0..17).map(folded).collect());
}

#[derive(Clone, Copy, Element)]
struct Two {
    a: i32,
    b: i32,
}

#[func]
impl Two {
    fn seen(&self, by: i32) -> i32 {
        self.a * 100 + self.b * 10 + by
    }
}

#[func]
impl std::ops::Add<i32> for Two {
    type Output = Two;
    fn add(self, by: i32) -> Two {
        Two {
            a: self.a + by,
            b: self.b - by,
        }
    }
}

#[func]
impl PartialEq for Two {
    fn eq(&self, other: &Two) -> bool {
        self.a == other.a && self.b == other.b
    }
}

#[func]
fn weighed(a: &i32, l: &[i32; 3], b: i32) -> i32 {
    *a * 100 + l[0] * 10 + l[2] + b
}

/// What is lent to a function is a temporary, of variables that later arguments change.
#[kernel]
fn temporaries(x: &Field<i32>, out: &mut Field<[i32; 4]>) {
    for i in x.indices() {
        let mut n = x[i];
        let mut q = Two { a: n, b: n + 3 };
        let mut l = [n, 2 * n, 7];
        let a = weighed(&(n + 1), &[n, 1, l[1]], {
            n += 5;
            l[1] = 90;
            n
        });
        let b = (q + 1).seen({
            q.a += 2;
            q.a
        });
        let same = (q + 1) == {
            q.a += 1;
            q.b -= 1;
            q
        };
        let mut k = i % 3;
        let c = weighed(&l[k], &l, {
            k = 0;
            k as i32
        });
        out[i] = [a, b, same as i32, c];
    }
}

fn check_temporaries(device: &Device) {
    let x = [2, -3, 5, 11];
    let mut out = Field::full(device, 4, [0; 4]).unwrap();
    temporaries(&field(device, &x), &mut out).unwrap();
    let expected = x.iter().enumerate().map(|(i, n)| {
        let l = [*n, 90, 7];
        let a = (n + 1) * 100 + n * 10 + 2 * n + n + 5;
        let b = (n + 1) * 100 + (n + 2) * 10 + n + 2;
        [a, b, 1, l[i % 3] * 100 + n * 10 + 7]
    });
    same("temporaries", &out, expected.collect());
}

/// An operator on a reference is a call: the place comes first, as it does not between numbers.
#[func]
fn lent(l: &mut [i32; 4], x: &i32, k: &mut usize) -> i32 {
    l[*k] += {
        *k += 1;
        x
    };
    l[*k] += {
        *k += 1;
        *x
    };
    l[*k] -= if *k == 2 {
        *k -= 1;
        x
    } else {
        x
    };
    l[0] * 1000 + l[1] * 100 + l[2] * 10 + l[3]
}

#[kernel]
fn references(x: &Field<i32>, out: &mut Field<i32>) {
    for i in x.indices() {
        let (mut l, mut k) = ([1, 2, 3, 4], 0);
        let two = x[i];
        out[i] = lent(&mut l, &two, &mut k);
    }
}

fn check_references(device: &Device) {
    let x = field(device, &[2, 3, 5]);
    let mut out = Field::full(device, 3, 0).unwrap();
    references(&x, &mut out).unwrap();
    let expected = [2, 3, 5].map(|x| (1 + x) * 1000 + 200 + 3 * 10 + 4);
    same("references", &out, expected.to_vec());
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    let mut all = operands::cuda_sources();
    all.extend(sources![
        positions,
        references,
        temporaries,
        ranges,
        parentheses,
        multiplied,
        counted
    ]);
    all
}

/// A number whose product fails at zero.
#[derive(Clone, Copy, Debug, PartialEq, Element)]
struct Factor {
    n: i32,
}

#[func]
impl std::ops::Mul for Factor {
    type Output = Factor;
    fn mul(self, other: Factor) -> Factor {
        assert!(other.n != 0, "{} times zero", self.n);
        Factor { n: self.n * other.n }
    }
}

#[func]
impl std::ops::Add for Factor {
    type Output = Factor;
    fn add(self, other: Factor) -> Factor {
        Factor { n: self.n + other.n }
    }
}

/// Fails at zero, where it would not come to its end.
#[func]
fn halvings(x: Factor) -> Factor {
    assert!(x.n != 0, "no halves of zero");
    let (mut n, mut count) = (x.n, 0);
    while n != 1 {
        n /= 2;
        count += 1;
    }
    Factor { n: count }
}

/// The product comes before what is added to it.
#[kernel]
fn multiplied(a: &Field<Factor>, out: &mut Field<Factor>) {
    for i in a.indices() {
        let mut sum = Factor { n: 0 };
        sum = a[0] * a[i] + halvings(a[i]);
        sum = sum + a[1] * a[i] + a[2] * a[i];
        out[i] = sum;
    }
}

/// Counts in some bins.
#[derive(Clone, Copy, Element)]
struct Bins {
    counts: [i32; 4],
}

/// The bin comes before what is counted in it.
#[kernel]
fn counted(x: &Field<Factor>, bins: &mut Field<Bins>, bin: usize) {
    for i in x.indices() {
        bins[0].counts[bin].atomic_add(halvings(x[i]).n);
    }
}

fn check_failures(device: &Device) {
    // In several blocks of lanes.
    let start = |k: usize| Factor { n: 1 + k as i32 };
    let mut all: Vec<Factor> = (0..200).map(start).collect();
    let counts = |device: &Device| Field::from_vec(device, vec![Bins { counts: [7; 4] }]).unwrap();
    let a = Field::from_slice(device, &all).unwrap();
    let mut out = Field::full(device, all.len(), Factor { n: -1 }).unwrap();
    multiplied(&a, &mut out).unwrap();
    let expected = |x: Factor| (all[0] * x + halvings(x)) + all[1] * x + all[2] * x;
    same("products", &out, all.iter().map(|x| expected(*x)).collect());
    let mut bins = counts(device);
    counted(&a, &mut bins, 2).unwrap();
    let total: i32 = all.iter().map(|x| halvings(*x).n).sum();
    assert_eq!(bins.to_vec().unwrap()[0].counts, [7, 7, 7 + total, 7]);
    all[77].n = 0;
    let a = Field::from_vec(device, all).unwrap();
    match ended(device, multiplied(&a, &mut out)).unwrap_err() {
        Error::KernelFailure { message, count, .. } => assert_eq!((&*message, count), ("1 times zero", 1), "{device}"),
        other => panic!("{other} on {device}"),
    }
    let error = ended(device, counted(&a, &mut bins, 4)).unwrap_err().to_string();
    assert!(!error.contains("halves"), "{error} on {device}");
    let error = ended(device, counted(&a, &mut bins, 3)).unwrap_err().to_string();
    assert!(error.contains("no halves of zero"), "{error} on {device}");
}

/// `place op= value`: of a primitive type the value comes first, of others the place.
pub mod updates {
    use super::*;

    /// Adds up with a weight.
    #[derive(Clone, Copy, Element)]
    struct Tally {
        sum: i32,
    }

    #[func]
    impl std::ops::AddAssign<i32> for Tally {
        fn add_assign(&mut self, other: i32) {
            self.sum = self.sum * 3 + other;
        }
    }

    #[func]
    impl std::ops::DivAssign<f32> for Tally {
        fn div_assign(&mut self, other: f32) {
            self.sum = self.sum * 7 + other as i32;
        }
    }

    orders! {
        (k x y v m)
        others {
            { let (mut d, mut n) = ([v, v * 2.0, v * 3.0], -1); d[bump(&mut n) as usize] += Vec2::new(bump(&mut n) as f32, 2.0); d[0].x + d[1].x * 3.0 + d[2].x * 7.0 }
            { let (mut d, mut n) = ([v, v * 2.0, v * 3.0], -1); d[bump(&mut n) as usize] += v * bump(&mut n) as f32; d[0].x + d[1].x * 3.0 + d[2].x * 7.0 }
            { let (mut d, mut n) = ([v, v * 2.0, v * 3.0], 0); d[n as usize] -= v * bump(&mut n) as f32; d[0].x + d[1].x * 3.0 + d[2].x * 7.0 }
            { let (mut d, mut n) = ([v, v * 2.0, v * 3.0], 0); d[n as usize] *= bump(&mut n) as f32 + 0.5; d[0].x + d[1].x * 3.0 + d[2].x * 7.0 }
            { let (mut d, mut n) = ([v, v * 2.0, v * 3.0], 0); d[n as usize] += turn(&mut v) * halved(bump(&mut n)) as f32; d[0].x + d[1].x * 3.0 + d[2].x * 7.0 }
            { let (mut d, mut n, mut s) = ([v; 40], 0, 0.0); for j in 0..5 { d[bump(&mut n) as usize] += if j % 2 == 0 { continue } else { v * j as f32 }; s += d[n as usize].x; } s + n as f32 }
            { let (mut t, mut n) = ([Tally { sum: k }; 3], 0); t[bump(&mut n) as usize] += halved(n); three(t[0].sum, t[1].sum, t[2].sum) }
            { let (mut t, mut n) = ([Tally { sum: k }; 3], 0); t[n as usize] /= bump(&mut n) as f32; three(t[0].sum, t[1].sum, t[2].sum) }
        }
        primitives {
            { let (mut d, mut n) = ([v, v * 2.0, v * 3.0], -1); d[bump(&mut n) as usize].x += x * bump(&mut n) as f32; d[0].x + d[1].x * 3.0 + d[2].x * 7.0 }
            { let (mut c, mut n) = ([x, y, 3.0], 0); c[n as usize] += x * bump(&mut n) as f32; c[0] + c[1] * 3.0 + c[2] * 7.0 }
            { let (mut c, mut n) = ([x, y, 3.0], -1); c[bump(&mut n) as usize] -= y * bump(&mut n) as f32; c[0] + c[1] * 3.0 + c[2] * 7.0 }
            { let (mut c, mut n) = ([k, k * 2, 3], -1); c[bump(&mut n) as usize] *= bump(&mut n) + 1; three(c[0], c[1], c[2]) }
            { let (mut c, mut n) = ([k, k * 2, 3], 0); c[bump(&mut n) as usize] += halved(k); three(c[0], c[1], c[2]) }
            { let (mut c, mut n) = ([k, k * 2, 3], 0); c[bump(&mut n) as usize] /= k - 1; three(c[0], c[1], c[2]) }
            { let (mut c, mut n) = ([x, y, 3.0], 0); c[n as usize] /= bump(&mut n) as f32; c[0] + c[1] * 3.0 + c[2] * 7.0 }
            { let mut c = [x, y, 3.0]; c[1] += c[2] * raise(&mut c[1]); c[1] -= raise(&mut c[0]) * c[0]; c[1] + c[0] * 3.0 }
        }
    }
}

#[func]
fn at(k: &mut i32) -> usize {
    *k += 1;
    *k as usize
}

/// Indices of one access from left to right; of an atomic operation before its arguments; of what is assigned to behind the value.
#[kernel]
pub fn positions(t: &Field<i32, 2>, h: &mut Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let mut n = i as i32 % 3;
        let a = t[[at(&mut n), at(&mut n)]];
        h[at(&mut n)].atomic_add(n * 10 + bump(&mut n));
        out[i] = {
            n += 1;
            a * 100 + n
        };
    }
}

fn check_positions(device: &Device) {
    let t: Vec<i32> = (0..72).map(|k| k / 9 * 10 + k % 9).collect();
    let t = ndarray::Array2::from_shape_vec((8, 9), t).unwrap();
    let mut h = Field::zeros(device, 9).unwrap();
    let mut out = Field::zeros(device, 17).unwrap();
    positions(&Field::from_ndarray(device, &t).unwrap(), &mut h, &mut out).unwrap();
    let mut sums = vec![0; 9];
    for i in 0..17 {
        let n = i % 3;
        sums[n as usize + 3] += (n + 3) * 10 + n + 4;
    }
    same("h", &h, sums);
    let expected = (0..17).map(|i| ((i % 3 + 1) * 10 + i % 3 + 2) * 100 + i % 3 + 5);
    same("out", &out, expected.collect());
}

type Run<'r> = &'r dyn Fn(&Field<i32>, &Field<f32>, &mut Field<Eight>) -> swathe::Result<()>;

fn inputs() -> (Vec<i32>, Vec<f32>) {
    (0..67).map(|i| (i % 23 + 4, i as f32 * 0.125 + 1.5)).unzip()
}

fn compare(device: &Device, what: &str, plain: fn(i32, f32) -> Eight, run: Run<'_>, wrong: &mut Vec<String>) {
    let (k, x) = inputs();
    let mut out = Field::full(device, k.len(), Eight::default()).unwrap();
    run(&field(device, &k), &field(device, &x), &mut out).unwrap_or_else(|e| panic!("{what}: {e}"));
    let got = out.to_vec().unwrap();
    close(what, &got, |i| plain(k[i], x[i]), wrong);
}

fn on_host(what: &str, plain: fn(i32, f32) -> Eight, function: fn(i32, f32) -> Eight, wrong: &mut Vec<String>) {
    let (k, x) = inputs();
    let got: Vec<Eight> = k.iter().zip(&x).map(|(k, x)| function(*k, *x)).collect();
    close(what, &got, |i| plain(k[i], x[i]), wrong);
}

/// Products and sums may be rounded once, roots be approximate.
fn close(what: &str, got: &[Eight], want: impl Fn(usize) -> Eight, wrong: &mut Vec<String>) {
    for n in 0..8 {
        let both = got
            .iter()
            .enumerate()
            .map(|(i, got)| (i, got.all()[n], want(i).all()[n]));
        let first = both
            .into_iter()
            .find(|(_, got, want)| (got - want).abs() > 2e-5 * want.abs().max(1.0) || got.is_nan());
        wrong.extend(first.map(|(i, got, want)| format!("{what}, member {n} of element {i}: got {got}, want {want}")));
    }
}
