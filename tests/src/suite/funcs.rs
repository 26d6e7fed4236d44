//! Functions, methods, operators and traits of the user's, here and in another crate.

use std::ops::{Add, AddAssign, BitXor, Index, Mul, MulAssign, Neg, Not, Rem, Shl, Sub};

use swathe::prelude::*;
use swathe::random::Rng;
use swathe_tests_other_crate as other;
use swathe_tests_other_crate::nested::{self, deeper::cube};
use swathe_tests_other_crate::{Body, Complex, GRAVITY, Lcg, UP, WEIGHTS, first_divisor, roll_all, swap};

use super::support::{SIZES, each, field, same, scatter, sources};

#[func]
fn collatz_steps(start: i32) -> u32 {
    let mut n = start as i64;
    let mut steps = 0;
    loop {
        if n <= 1 {
            return steps;
        }
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        steps += 1;
    }
}

#[func]
fn early(x: i32) -> (i32, bool) {
    if x < 0 {
        return (-x, true);
    }
    for [a, b] in ndrange([5, 5]) {
        if (a * a + b) as i32 == x {
            return ((10 * a + b) as i32, false);
        }
    }
    'search: {
        if x > 50 {
            break 'search;
        }
        return match x {
            30 => return (1, false),
            31..=40 => (2, false),
            _ => (3, true),
        };
    }
    (x % 7, x % 2 == 0)
}

/// Calls two functions that are declared below it.
/// Calls another function of its name.
#[func]
fn twice(x: i32) -> i32 {
    use inner::twice;
    twice(x) + 1
}

mod inner {
    use swathe::prelude::*;

    #[func]
    pub fn twice(x: i32) -> i32 {
        2 * x
    }
}

/// Domains of all kinds, which are no calls of methods.
#[func]
fn rounds(x: i32) -> i32 {
    let mut all = x;
    for k in serial((0..x.max(1)).rev()) {
        all = all * 3 + k;
    }
    for k in (1..=x.min(7).max(2)).rev().step_by(2) {
        all = all * 5 - k;
    }
    for k in serial((x.min(2)..9).step_by(x.max(1) as usize)) {
        all ^= k;
    }
    all
}

#[kernel]
fn domains(x: &Field<i32>, out: &mut Field<i32>) {
    for i in x.indices() {
        out[i] = rounds(x[i] % 9) ^ twice(x[i]);
    }
}

fn rounds_in_rust(x: i32) -> i32 {
    let x = x % 9;
    let mut all = x;
    for k in (0..x.max(1)).rev() {
        all = all * 3 + k;
    }
    for k in (1..=x.clamp(2, 7)).rev().step_by(2) {
        all = all * 5 - k;
    }
    for k in (x.min(2)..9).step_by(x.max(1) as usize) {
        all ^= k;
    }
    all
}

#[func]
fn outermost(x: i32) -> i32 {
    middle(x) + innermost(x, 2) - middle(innermost(1, x))
}

#[func]
fn middle(x: i32) -> i32 {
    innermost(x, 3) + 1
}

#[func]
fn innermost(x: i32, by: i32) -> i32 {
    x * by - 1
}

#[func]
fn nothing(x: i32, to: &mut i32) {
    if x > 0 {
        return;
    }
    *to += x;
}

#[func]
fn sums(v: &[f32; 4], m: &Mat2, scale: f32) -> [f32; 2] {
    let mut s = [0.0; 2];
    for k in 0..4 {
        s[0] += v[k] * scale;
    }
    s[1] = m.trace() + m[[0, 1]];
    s
}

/// Changes what its arguments refer to, at some depth.
#[func]
fn shift(a: &mut [Vec2; 3], b: &mut Body, by: f32) {
    for k in 0..3 {
        a[k].x += by;
        a[k][1] -= by;
    }
    b.pos.z = by;
    b.hits += 2;
}

#[func]
fn shift_twice(a: &mut [Vec2; 3], b: &mut Body) -> f32 {
    shift(a, b, 1.0);
    shift(a, b, 0.5);
    a[0].x + b.pos.z
}

#[kernel]
fn calls(x: &Field<i32>, out: &mut Field<[i32; 4]>) {
    for i in out.indices() {
        let (a, flag) = early(x[i]);
        let mut r = 5;
        nothing(x[i], &mut r);
        nothing(-3, &mut r);
        out[i] = [
            collatz_steps(x[i]) as i32,
            a + if flag { 1000 } else { 0 },
            outermost(x[i]),
            r,
        ];
    }
}

#[kernel]
fn references(x: &Field<f32>, out: &mut Field<[f32; 6]>) {
    for i in out.indices() {
        let v = [x[i], 1.0, 2.0, -0.5];
        let m = Mat2::from_array([[x[i], 3.0], [0.25, 1.0]]);
        let s = sums(&v, &m, 2.0);
        let mut a = [Vec2::new(x[i], 0.0); 3];
        let mut b = Body::new(UP * x[i], 1.0);
        let t = shift_twice(&mut a, &mut b);
        let mut all = [b, b];
        shift(&mut a, &mut all[1], x[i]);
        out[i] = [
            s[0],
            s[1],
            t,
            a[2].y,
            all[1].pos.z - all[0].pos.z,
            (all[0].hits + 10 * all[1].hits) as f32,
        ];
    }
}

#[kernel]
fn random_state(x: &Field<i32>, out: &mut Field<[u32; 8]>) {
    for i in out.indices() {
        let mut rng = Lcg::seeded(x[i] as u32);
        let mut dice = [0; 5];
        let sum = roll_all(&mut rng, &mut dice);
        let next = rng.next();
        let last = other::roll(&mut rng, 100);
        out[i] = [dice[0], dice[1], dice[2], dice[3], dice[4], sum, next, last];
    }
}

#[kernel]
fn philox(x: &Field<i32>, out: &mut Field<[f64; 4]>, seed: u64) {
    for i in out.indices() {
        let mut rng = Rng::new(seed, i as u64);
        let skip = x[i].rem_euclid(4);
        for _ in 0..skip {
            rng.next_u32();
        }
        let a = rng.next_u32();
        out[i] = [
            a as f64,
            rng.next_f32() as f64,
            rng.next_f64(),
            (rng.next_u64() >> 11) as f64,
        ];
    }
}

#[kernel]
fn swaps(x: &Field<i32>, out: &mut Field<[i32; 3]>) {
    for i in out.indices() {
        let mut v = [x[i], 10, -20];
        let mut lowest = i32::MAX;
        for k in 0..2 {
            let mut a = v[k];
            let mut b = v[k + 1];
            if a > b {
                swap(&mut a, &mut b);
            }
            v[k] = a;
            v[k + 1] = b;
            lowest = lowest.min(a);
        }
        swap(&mut v[0], &mut lowest);
        out[i] = v;
    }
}

#[kernel]
fn paths(x: &Field<i32>, out: &mut Field<[i64; 4]>) {
    for i in out.indices() {
        out[i] = [
            cube(x[i] as i64),
            nested::square(3) + other::nested::deeper::cube(2) + nested::DEPTH as i64,
            first_divisor(x[i], 40) as i64,
            WEIGHTS[i % 4] as i64 + other::nested::DEPTH as i64 * (GRAVITY * 4.0) as i64,
        ];
    }
}

#[kernel]
fn bodies(x: &Field<Body>, out: &mut Field<Body>) {
    for i in out.indices() {
        let mut b = x[i].moved(0.5);
        if x[i].touches(&Body::new(Vec3::new(4.0, 4.0, 4.0), 1.0)) {
            b.mass = 100.0;
        }
        let hits = b.kick_twice(Vec3::new(1.0, 2.0, 4.0), 0.25);
        b.hits *= 10 + hits;
        b.pos.x += b.kinetic() + x[i].kinetic() + Body::RADIUS;
        out[i] = b;
        out[i].pos.y = <Body>::new(b.pos, 2.0).moved(1.0).mass;
    }
}

/// Operators of another crate's type, in expressions of several.
#[kernel]
fn mandelbrot(x: &Field<[f32; 2]>, out: &mut Field<[f32; 3]>, limit: u32) {
    for i in out.indices() {
        let c = Complex::<f32>::new(x[i][0], x[i][1]);
        let mut z = Complex { re: 0.0, im: 0.0 };
        let mut n = 0;
        while n < limit && z.norm_squared() < 4.0 {
            z = z * z + c;
            n += 1;
        }
        let mut w = -(z - c) * Complex { re: 0.5, ..c };
        w += c + -c;
        out[i] = [n as f32, w.re, w.im];
    }
}

/// Every operator that a type can have, each told by a number of its own.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Trace {
    log: u64,
}

macro_rules! traced {
    ($($op:ident $method:ident $code:literal;)*) => {$(
        #[func]
        impl $op for Trace {
            type Output = Trace;

            fn $method(self, other: Trace) -> Trace {
                Trace { log: self.log * 3 + other.log * 2 + $code }
            }
        }
    )*};
}

traced! { Add add 1; Sub sub 2; Mul mul 3; Rem rem 4; BitXor bitxor 5; }

#[func]
impl Shl<u32> for Trace {
    type Output = u64;

    fn shl(self, by: u32) -> u64 {
        self.log + 1000 * by as u64
    }
}

#[func]
impl Neg for Trace {
    type Output = Trace;

    fn neg(self) -> Trace {
        Trace { log: self.log + 6 }
    }
}

#[func]
impl Not for Trace {
    type Output = bool;

    fn not(self) -> bool {
        self.log % 2 == 0
    }
}

#[func]
impl AddAssign for Trace {
    fn add_assign(&mut self, other: Trace) {
        self.log = self.log * 5 + other.log;
    }
}

#[func]
impl MulAssign<u64> for Trace {
    fn mul_assign(&mut self, by: u64) {
        self.log = self.log * by + 7;
    }
}

#[kernel]
fn operators(x: &Field<Trace>, out: &mut Field<Trace>) {
    for i in out.indices() {
        let a = x[i];
        let b = Trace { log: 10 };
        let mut c = a + b * a - (a % b ^ b);
        c += -a;
        c *= 3;
        out[i] = c;
        out[i] += b;
        out[i] *= 2;
        out[i] += out[i];
        if !a {
            out[i].log += a << 2;
        }
    }
}

/// An `impl` of a trait of the standard library that kernels do not call may stand beside.
impl Index<usize> for Trace {
    type Output = u64;

    fn index(&self, _: usize) -> &u64 {
        &self.log
    }
}

pub fn check(device: &Device) {
    each!(device, calls, scatter, |_, x| {
        let mut steps = 0;
        let mut n = i64::from(x);
        while n > 1 {
            n = [n / 2, 3 * n + 1][(n & 1) as usize];
            steps += 1;
        }
        let pair = (0..25)
            .find(|k| (k / 5) * (k / 5) + k % 5 == x)
            .map(|k| 10 * (k / 5) + k % 5);
        let found = match (x, pair) {
            (..0, _) => 1000 - x,
            (_, Some(p)) => p,
            (51.., _) => x % 7 + 1000 * i32::from(x % 2 == 0),
            (30, _) => 1,
            (31..=40, _) => 2,
            _ => 1003,
        };
        [steps, found, 3 * x + 2 * x - 1 - 3 * (x - 1), 5 - 3 + x.min(0)]
    });
    each!(device, domains, scatter, |_, x| rounds_in_rust(x) ^ (2 * x + 1));
    each!(device, references, |i| i as f32 * 0.25, |_, x| [
        2.0 * (x + 2.5),
        x + 4.0,
        x + 1.5 + 0.5,
        -1.5 - x,
        x - 0.5,
        64.0
    ]);
    each!(device, random_state, scatter, |_, x| {
        let mut state = (x as u32).wrapping_mul(2_654_435_769).wrapping_add(1);
        let mut next = || {
            state = (u64::from(state) * 1_664_525 + 1_013_904_223) as u32;
            state / 256
        };
        let dice: [u32; 5] = std::array::from_fn(|_| next() % 6 + 1);
        let next_one = next();
        let last = next() % 100 + 1;
        [
            dice[0],
            dice[1],
            dice[2],
            dice[3],
            dice[4],
            dice.iter().sum(),
            next_one,
            last,
        ]
    });
    let seed = 0x1234_5678_9abc;
    each!(device, |x: &_, out: &mut _| philox(x, out, seed), scatter, |i, x| {
        let mut rng = Rng::new(seed, i as u64);
        (0..x.rem_euclid(4)).for_each(|_| _ = rng.next_u32());
        [
            f64::from(rng.next_u32()),
            f64::from(rng.next_f32()),
            rng.next_f64(),
            (rng.next_u64() >> 11) as f64,
        ]
    });
    each!(device, swaps, scatter, |_, x| {
        let mut v = [x, 10, -20];
        let first = x.min(10);
        v[2] = x.max(10);
        v[1] = -20;
        let lowest = first.min(v[1]);
        [lowest, v[1], v[2]]
    });
    each!(device, paths, scatter, |i, x| {
        let divisor = if x < 2 {
            x
        } else {
            (2..40).find(|k| x % k == 0).unwrap_or(-1)
        };
        [
            i64::from(x).pow(3),
            9 + 8 + 5,
            i64::from(divisor),
            [3, -1, 4, -2][i % 4] + 5 * 39,
        ]
    });
    let body = |i: usize| {
        let s = i as f32;
        Body {
            pos: Vec3::new(s, 4.0, 4.0 - s),
            vel: Vec3::new(1.0, -s, 0.5),
            mass: 2.0,
            hits: i as u32,
        }
    };
    each!(device, bodies, body, |i, x| {
        let dv = Vec3::new(1.0, 2.0, 4.0) * 0.25;
        let near = (x.pos - Vec3::splat(4.0)).length_squared() < 1.0;
        let mass = if near { 100.0 } else { 2.0 };
        let mut b = Body {
            pos: x.pos + x.vel * 0.5,
            mass,
            ..x
        };
        let v = x.vel + dv / mass + dv * -0.5 / mass;
        b.vel = if near {
            kicked(kicked(x.vel, dv, mass), dv * -0.5, mass)
        } else {
            v
        };
        b.hits = (i as u32 + 2) * (10 + i as u32 + 2);
        b.pos.x += 0.5 * mass * b.vel.dot(b.vel) + x.vel.dot(x.vel) + 0.5;
        b.pos.y = 2.0;
        b
    });
    let points = |i: usize| [(i % 40) as f32 / 16.0 - 2.0, (i / 40) as f32 / 16.0 - 1.0];
    each!(device, |x: &_, out: &mut _| mandelbrot(x, out, 3), points, |_,
                                                                       [
        re,
        im,
    ]| {
        // Few steps on multiples of 1/16 are exact, so that a fused multiplication changes nothing.
        let (mut a, mut b, mut n) = (0.0f32, 0.0f32, 0);
        while n < 3 && a * a + b * b < 4.0 {
            (a, b) = (a * a - b * b + re, a * b + b * a + im);
            n += 1;
        }
        let (p, q) = (re - a, im - b);
        [n as f32, p * 0.5 - q * im, p * im + q * 0.5]
    });
    each!(device, operators, |i| Trace { log: i as u64 }, |_, Trace { log: a }| {
        let op = |code: u64| move |x: u64, y: u64| 3 * x + 2 * y + code;
        let (add, sub, mul, rem, xor) = (op(1), op(2), op(3), op(4), op(5));
        let c = sub(add(a, mul(10, a)), xor(rem(a, 10), 10));
        let c = (c * 5 + a + 6) * 3 + 7;
        let c = (c * 5 + 10) * 2 + 7;
        let c = 6 * c;
        Trace {
            log: if a % 2 == 0 { c + a + 2000 } else { c },
        }
    });
    for n in SIZES {
        let values: Vec<Body> = (0..n).map(body).collect();
        let mut x = field(device, &values);
        let energy = other::drift(&mut x, 0.5).unwrap();
        let expected: Vec<Body> = values
            .into_iter()
            .map(|b| {
                let vel = b.vel - Vec3::new(0.0, 0.0, 9.75 * 0.5);
                Body {
                    pos: b.pos + vel * 0.5,
                    vel,
                    hits: b.hits + 1,
                    ..b
                }
            })
            .collect();
        let total: f64 = expected.iter().map(|b| f64::from(b.vel.dot(b.vel))).sum();
        assert!(
            (f64::from(energy) - total).abs() <= 1e-5 * total,
            "{energy} instead of {total}"
        );
        same("drift", &x, expected);
    }
}

fn kicked(v: Vec3, force: Vec3, mass: f32) -> Vec3 {
    // As the method has it: the time step is divided by the mass first.
    v + force * 4.0 * (0.25 / mass)
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        calls,
        domains,
        references,
        random_state,
        philox,
        swaps,
        paths,
        bodies,
        mandelbrot,
        operators,
        other::drift
    ]
}
