//! Indices that functions compute which change their arguments: the same text as a kernel and as plain Rust.
#![allow(unused_assignments, unused_mut, unused_variables)]

use swathe::prelude::*;
use swathe::{Aos, FieldLayout, Soa};

use super::support::{ended, field, same, sources};

#[func]
fn bump(k: &mut u32) -> u32 {
    *k = (*k * 5 + 3) % 11;
    *k
}

#[func]
fn step(k: &mut u32) -> f32 {
    *k = (*k + 4) % 11;
    *k as f32
}

/// A pair with an operator of its own.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Pair {
    a: f32,
    b: f32,
}

#[func]
impl std::ops::AddAssign for Pair {
    fn add_assign(&mut self, other: Pair) {
        self.a = self.a * 3.0 + other.a;
        self.b = self.b * 5.0 + other.b;
    }
}

#[func]
impl std::ops::MulAssign<f32> for Pair {
    fn mul_assign(&mut self, by: f32) {
        self.a = self.a * by + 1.0;
        self.b = self.b * by + 2.0;
    }
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Inner {
    v: [Vec2; 11],
    n: [f32; 11],
}

/// A kernel and a function of plain Rust with one body, in which `$x` are numbers, `$k` changes, and `$r` are the results.
macro_rules! both {
    ($($kernel:ident $plain:ident |$x:ident, $k:ident, $r:ident| { $($body:tt)* })*) => {
        $(
            #[kernel]
            fn $kernel($x: &Field<i32>, start: &Field<u32>, out: &mut Field<[f32; 24]>) {
                for i in out.indices() {
                    let mut $k = start[i];
                    let mut $r = [0.0f32; 24];
                    $($body)*
                    $r[23] = $k as f32;
                    out[i] = $r;
                }
            }

            fn $plain($x: &[i32], start: u32) -> [f32; 24] {
                let mut $k = start;
                let mut $r = [0.0f32; 24];
                $($body)*
                $r[23] = $k as f32;
                $r
            }
        )*

        fn check_both(device: &Device) {
            $({
                let numbers: Vec<i32> = (0..11).map(|i| 100 + i * i * 7 - 3 * i).collect();
                let starts: Vec<u32> = (0..11).collect();
                let mut out = Field::full(device, 11, [-1.0f32; 24]).unwrap();
                let (x, start) = (field(device, &numbers), field(device, &starts));
                ended(device, $kernel(&x, &start, &mut out)).unwrap();
                same(stringify!($kernel), &out, starts.iter().map(|k| $plain(&numbers, *k)).collect());
            })*
        }

        fn both_sources() -> Vec<(&'static str, swathe::Result<String>)> {
            sources![$($kernel),*]
        }
    };
}

both! {
    operands plain_operands |x, k, r| {
        r[0] = (x[bump(&mut k) as usize] * 10 + x[bump(&mut k) as usize]) as f32;
        r[1] = (x[bump(&mut k) as usize] * 10 - x[bump(&mut k) as usize] * 3 + x[bump(&mut k) as usize]) as f32;
        r[2] = if x[bump(&mut k) as usize] > x[bump(&mut k) as usize] { 1.0 } else { 2.0 };
        r[3] = if x[bump(&mut k) as usize] > 200 && x[bump(&mut k) as usize] > x[bump(&mut k) as usize] { 3.0 } else { 4.0 };
        let small = x[bump(&mut k) as usize].min(x[bump(&mut k) as usize]).max(x[bump(&mut k) as usize]);
        r[4] = small as f32;
        let both = [x[bump(&mut k) as usize], x[bump(&mut k) as usize], x[bump(&mut k) as usize]];
        r[5] = (both[0] + 1000 * both[1] - both[2]) as f32;
        r[bump(&mut k) as usize] += x[bump(&mut k) as usize] as f32;
        r[6 + bump(&mut k) as usize] = x[bump(&mut k) as usize] as f32;
        let v = Vec2::new(x[bump(&mut k) as usize] as f32, x[bump(&mut k) as usize] as f32);
        r[7] = v.x - 3.0 * v.y;
        r[20] = (x[k as usize] * x[bump(&mut k) as usize] + x[k as usize]) as f32;
        for _ in 0..3 {
            r[21] += (x[bump(&mut k) as usize] - x[bump(&mut k) as usize]) as f32;
        }
    }

    blocks plain_blocks |x, k, r| {
        r[0] = (x[(k as usize + 1) % 11] + x[{ let m = k * 2; k += 1; m % 11 } as usize] + x[k as usize % 11]) as f32;
        r[1] = (x[k as usize % 11] + x[if k > 4 { k += 2; k % 7 } else { 3 } as usize] * x[k as usize % 11]) as f32;
        r[2] = (x[k as usize % 11] - x[match k % 3 { 0 => { k += 5; k % 11 }, 1 => 2, _ => k % 5 } as usize]) as f32;
        r[3] = (x[k as usize % 11] * 2 + x['found: { if k % 2 == 0 { break 'found 4; } k += 1; k % 11 } as usize] * 5 + x[k as usize % 9]) as f32;
        let at = bump(&mut k) as usize;
        r[4] = (x[at] + x[(at + 1) % 11] + x[bump(&mut k) as usize]) as f32;
        r[5] = (x[loop { k = (k + 7) % 11; if k % 2 == 0 { break k; } } as usize] - 2 * x[k as usize]) as f32;
    }

    vectors plain_vectors |x, k, r| {
        let mut a = [Vec2::new(0.5, 0.25); 11];
        a[bump(&mut k) as usize] += Vec2::new(step(&mut k), 2.0);
        a[bump(&mut k) as usize] -= Vec2::new(bump(&mut k) as f32, 2.0);
        a[k as usize] *= step(&mut k);
        a[k as usize] += Vec2::new(step(&mut k), k as f32);
        for n in 0..11 {
            r[n] = a[n].x * 3.0 + a[n].y;
        }
    }

    members plain_members |x, k, r| {
        let mut s = Inner { v: [Vec2::new(0.5, 0.25); 11], n: [0.125; 11] };
        s.v[bump(&mut k) as usize] += Vec2::new(step(&mut k), 2.0);
        s.v[k as usize] *= step(&mut k);
        s.n[bump(&mut k) as usize] += step(&mut k);
        s.n[k as usize] *= step(&mut k) + 2.0;
        s.v[bump(&mut k) as usize].x += step(&mut k) * 2.0;
        s.v[bump(&mut k) as usize][(k % 2) as usize] -= step(&mut k) * 2.0;
        for n in 0..11 {
            r[n] = s.v[n].x * 3.0 + s.v[n].y;
            r[11 + n] = s.n[n];
        }
    }

    operators plain_operators |x, k, r| {
        let mut p = [Pair { a: 1.0, b: 2.0 }; 11];
        p[bump(&mut k) as usize] += Pair { a: step(&mut k), b: k as f32 };
        p[k as usize] += Pair { a: step(&mut k), b: k as f32 };
        p[bump(&mut k) as usize] *= step(&mut k);
        let mut q = [p; 2];
        q[(bump(&mut k) % 2) as usize][bump(&mut k) as usize] += Pair { a: step(&mut k), b: bump(&mut k) as f32 };
        for n in 0..11 {
            r[n] = p[n].a * 5.0 + p[n].b;
            r[11 + n] = q[0][n].a - 7.0 * q[1][n].b;
        }
    }
}

/// Atomic operations at such places, with such operands.
#[kernel]
fn atomics(x: &Field<u32>, start: &Field<u32>, h: &mut Field<u32>, v: &mut Field<Vec2>) {
    for i in start.indices() {
        let mut k = start[i];
        h[bump(&mut k) as usize].atomic_add(x[bump(&mut k) as usize] * x[bump(&mut k) as usize]);
        h[k as usize].atomic_add(bump(&mut k) + x[k as usize]);
        if h[bump(&mut k) as usize].atomic_load() + x[bump(&mut k) as usize] < x[bump(&mut k) as usize] {
            h[0].atomic_add(1_000_000);
        }
        v[bump(&mut k) as usize].atomic_add(Vec2::new(step(&mut k), x[bump(&mut k) as usize] as f32));
    }
}

fn check_atomics<L: FieldLayout + Copy>(device: &Device, layout: L) {
    let numbers: Vec<u32> = (0..11).map(|i| 100 + i * i * 7 - 3 * i).collect();
    for first in 0..11 {
        let (x, start) = (field(device, &numbers), field(device, &[first]));
        let mut h = Field::zeros_in(device, 11, layout).unwrap();
        let mut v = Field::zeros_in(device, 11, layout).unwrap();
        ended(device, atomics(&x, &start, &mut h, &mut v)).unwrap();
        let (hits, sums) = plain_atomics(&numbers, first);
        assert_eq!(h.to_vec().unwrap(), hits, "from {first}");
        assert_eq!(v.to_vec().unwrap(), sums, "from {first}");
    }
}

fn plain_atomics(x: &[u32], mut k: u32) -> (Vec<u32>, Vec<Vec2>) {
    let (mut h, mut v) = (vec![0; 11], vec![Vec2::ZERO; 11]);
    let (a, b, c) = (bump(&mut k), bump(&mut k), bump(&mut k));
    h[a as usize] += x[b as usize] * x[c as usize];
    let (a, b) = (k, bump(&mut k));
    h[a as usize] += b + x[k as usize];
    let (a, b, c) = (bump(&mut k), bump(&mut k), bump(&mut k));
    if h[a as usize] + x[b as usize] < x[c as usize] {
        h[0] += 1_000_000;
    }
    let (a, b, c) = (bump(&mut k), step(&mut k), bump(&mut k));
    v[a as usize] += Vec2::new(b, x[c as usize] as f32);
    (h, v)
}

/// Its operator may fail half-way.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Careful {
    sum: u32,
    list: [u32; 3],
}

#[func]
fn careful(x: u32) -> u32 {
    assert!(x % 7 != 3, "{x} is of no use");
    x
}

#[func]
impl std::ops::AddAssign for Careful {
    fn add_assign(&mut self, other: Careful) {
        self.sum += other.sum;
        self.list[1] = careful(self.sum) * 2;
        self.list[2] += 1;
    }
}

#[kernel]
fn half_way(x: &Field<u32>, out: &mut Field<Careful>) {
    for i in out.indices() {
        let other = Careful {
            sum: x[i],
            list: [0; 3],
        };
        out[i] += other;
    }
}

fn check_half_way<L: FieldLayout>(device: &Device, layout: L) {
    for n in [1, 3, 17, 1000] {
        let old = |i: usize| Careful {
            sum: i as u32,
            list: [1, 2, i as u32],
        };
        let x = |i: usize| (i * i % 101) as u32;
        let numbers = field(device, &(0..n).map(x).collect::<Vec<u32>>());
        let start = Field::from_fn(device, n, |[i]| old(i)).unwrap();
        let mut out = start.with_layout(layout).unwrap();
        let result = ended(device, half_way(&numbers, &mut out));
        let expected = |i: usize| match i as u32 + x(i) {
            sum if sum % 7 == 3 => old(i),
            sum => Careful {
                sum,
                list: [1, 2 * sum, i as u32 + 1],
            },
        };
        let fails = (0..n).any(|i| expected(i) == old(i));
        assert_eq!(result.is_err(), fails, "{n}: {result:?}");
        assert_eq!(
            out.to_vec().unwrap(),
            (0..n).map(expected).collect::<Vec<_>>(),
            "half_way"
        );
    }
}

pub fn check(device: &Device) {
    check_both(device);
    check_atomics(device, Aos);
    check_atomics(device, Soa);
    check_half_way(device, Aos);
    check_half_way(device, Soa);
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    let mut all = both_sources();
    all.extend(sources![atomics, half_way]);
    all
}
