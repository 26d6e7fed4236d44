//! Tuple structs, members without size, and structs in patterns of `match`.
// Kernels say things in the ways that they have.
#![allow(
    clippy::blocks_in_conditions,
    clippy::match_single_binding,
    clippy::needless_borrow,
    clippy::needless_update
)]

use std::marker::PhantomData;
use std::ops::{Add, Mul};

use swathe::prelude::*;
use swathe::{Aos, FieldLayout, Soa};

use super::support::{SIZES, each, equal, scatter, sources, twins};

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Meters(f32);

/// In memory its members stand in another order.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Sample(u8, Vec3, pub Meters, [i32; 2], Nothing, f64);

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Of<T, const N: usize>(T, [T; N]);

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Nothing();

mod units {
    use super::*;

    #[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
    pub struct Litre(pub i32, pub u16);
}

const FULL: units::Litre = units::Litre(900, 7);

#[func]
impl Meters {
    fn twice(self) -> Self {
        Self(self.0 * 2.0)
    }

    fn bump(&mut self) -> f32 {
        self.0 += 1.0;
        self.0
    }
}

#[func]
impl Add for Meters {
    type Output = Meters;

    fn add(self, other: Meters) -> Meters {
        let Meters(a) = self;
        Meters(a + other.0)
    }
}

#[func]
fn of<T: Element>(x: T, y: T) -> Of<T, 3> {
    Of(x, [y, x, y])
}

/// In memory the second member stands first.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Turned(u8, u32);

#[func]
fn turned_around(x: &mut i32) -> Turned {
    Turned(9, bump(x) as u32)
}

#[func]
fn bump(x: &mut i32) -> i32 {
    *x = *x * 3 + 1;
    *x
}

/// Names of units, which are no elements.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Metre;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Squared<U>(U);

#[derive(Element, Debug, PartialEq)]
struct Quantity<U>(PhantomData<U>, f32);

impl<U> Clone for Quantity<U> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<U> Copy for Quantity<U> {}

#[func]
impl<U: Send + Sync + 'static> Add for Quantity<U> {
    type Output = Quantity<U>;

    fn add(self, other: Quantity<U>) -> Quantity<U> {
        Quantity(PhantomData, self.1 + other.1)
    }
}

#[func]
impl<U: Send + Sync + 'static> Mul for Quantity<U> {
    type Output = Quantity<Squared<U>>;

    fn mul(self, other: Quantity<U>) -> Quantity<Squared<U>> {
        Quantity(PhantomData, self.1 * other.1)
    }
}

/// That it is copied asks that of all parameters.
#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Marked<T, U> {
    value: T,
    marks: [PhantomData<fn(&U)>; 2],
    other: PhantomData<str>,
}

/// It has one value.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Unit;

const ORIGIN: (Inner, [i8; 2]) = (Inner { a: -2, b: 0 }, [1, -1]);
const NONE: Inner = Inner { a: 4, b: 7 };
const VECTOR: (IVec3, Unit, bool) = (IVec3::new(1, -2, 3), Unit, true);

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Inner {
    a: i32,
    b: u8,
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Particle {
    kind: u8,
    mass: f32,
    at: [i32; 2],
    inner: Inner,
    fixed: bool,
}

const HEAVY: u8 = 4;

fn particle(i: usize) -> Particle {
    let k = i as i32;
    Particle {
        kind: (i % 7) as u8,
        mass: i as f32 * 0.5,
        at: [k - 7, 3 * k],
        inner: Inner {
            a: 5 - k,
            b: (i * 11) as u8,
        },
        fixed: i % 3 == 0,
    }
}

fn sample(i: usize) -> Sample {
    let x = scatter(i);
    Sample(
        i as u8,
        Vec3::new(x as f32, 0.5, -3.0 * x as f32),
        Meters(x as f32 + 0.25),
        [7 - x, 5 * x],
        Nothing(),
        1e10 * x as f64,
    )
}

twins! {
    newtype(m: Meters) -> Meters {
        let Meters(a) = m;
        let mut sum = Meters(a * 3.0) + m.twice();
        sum.0 -= 0.5;
        let more = sum.bump();
        let (Meters(b), Meters(mut c)) = (sum, Meters(more));
        c += b;
        Meters { 0: c + m.0, ..sum }
    }
    several(s: Sample) -> f64 {
        let Sample(small, v, Meters(length), [x, _], none, large) = s;
        let Sample(_, _, meters, ..) = s;
        let Nothing() = none;
        let t = Sample(small ^ 3, v * 2.0, meters.twice(), [x; 2], Nothing(), length as f64);
        let u = Sample { 3: [1, x], ..t };
        (t.0 as f64) + t.1.z as f64 * 3.0 + t.2.0 as f64 * 5.0 + t.3[1] as f64 * 7.0 + t.5 * 11.0
            + large + (u.3[0] * 13 + u.3[1] * 17) as f64
    }
    generic(x: i32) -> f64 {
        let Of(first, [a, b, c]) = of(x, 7);
        let Of::<f64, 1>(d, [e]) = Of(x as f64, [0.25]);
        let pair = Of::<_, 2>(x as u8, [3, 250]);
        let list = [Of(first, [a]), Of(b, [c])];
        let mut sum = d - e + (pair.0 as i32 + pair.1[1] as i32) as f64;
        for Of(k, [l]) in list { sum = sum * 3.0 + (k * 2 + l) as f64; }
        sum
    }
    ordered(x: i32) -> i32 {
        let mut k = x % 50;
        let s = Sample(bump(&mut k) as u8, Vec3::splat(bump(&mut k) as f32), Meters(k as f32), [bump(&mut k), k], Nothing(), { k += 1; k as f64 });
        let l = units::Litre(k, bump(&mut k) as u16);
        s.0 as i32 + s.1.x as i32 + s.2.0 as i32 + s.3[0] + 2 * s.3[1] + s.5 as i32 + l.0 * 3 + l.1 as i32
    }
    turned(x: i32) -> i32 {
        let mut k = x % 50;
        let a = Turned(bump(&mut k) as u8, bump(&mut k) as u32);
        let b = Turned { 1: bump(&mut k) as u32, 0: bump(&mut k) as u8 };
        let c = turned_around(&mut k);
        (a.0 as i32) + 3 * a.1 as i32 + 5 * b.0 as i32 + 7 * b.1 as i32 + 11 * c.0 as i32 + 13 * c.1 as i32
    }
    ranges(x: i32) -> i32 {
        match units::Litre(x * 10, x as u16) {
            units::Litre(900, n) => n as i32,
            units::Litre(10..=60, n @ 2..=4) => -(n as i32),
            units::Litre(_, 9 | 12) => 77,
            units::Litre(negative @ ..0, _) => negative * 3,
            units::Litre(n, ..) => n + FULL.0 + FULL.1 as i32,
        }
    }
    members(p: Particle) -> f32 {
        match p {
            Particle { kind: 0, mass, .. } => mass + 100.0,
            Particle { kind: 1 | 2, at: list, fixed: true, .. } => list[1] as f32 - 3.0,
            Particle { inner: Inner { a, b: 20..=90 }, mass: mut m, .. } if a < 0 => { m += 1.0; m * a as f32 }
            Particle { kind: 3, fixed: false, .. } | Particle { kind: 5, inner: Inner { b: 0..100, .. }, .. } => -2.5,
            Particle { kind: HEAVY, inner: Inner { b: low @ 0..200, .. }, .. } => low as f32 * 5.0,
            Particle { fixed, kind, mass: _, at: _, inner: _ } => (kind as i32 * 2 + fixed as i32) as f32,
        }
    }
    constants(x: i32) -> i32 {
        let inner = Inner { a: x, b: 7 };
        let Unit = Unit;
        let a = match (Inner { a: x, b: 0 }, [1, (x + 1) as i8]) { ORIGIN => 10, _ => 20 };
        let b = match inner { NONE => 3, Inner { a: 1..=9, .. } => 5, _ => x };
        let c = match (IVec3::new(x, -2, 3), Unit, x < 2) { VECTOR => 100, (_, Unit, true) => 200, _ => 300 };
        let d = match Unit { Unit => 1000 };
        let whole = match (inner, x) { (NONE, 4) => 1, (NONE, _) => 2, (p, _) => p.b as i32 };
        let all = match (x, inner.b) { all => all.0 * 2 + all.1 as i32 };
        a + b + c + d + 5 * whole + 7 * all
    }
    changed(p: Particle) -> f32 {
        let mut p = p;
        let mut q = p;
        let a = match p {
            Particle { kind: 0..=2, mass, inner: Inner { a, .. }, .. } => {
                p.mass = 1000.0;
                p.inner = Inner { a: 1, b: 2 };
                mass + a as f32 + p.inner.a as f32
            }
            whole => { p.mass = -5.0; whole.mass }
        };
        let b = match (q, p.kind) {
            (Particle { mass, fixed: true, .. }, k) => { q.mass = 7.0; mass + k as f32 }
            (_, 3) => 0.5,
            (Particle { inner: Inner { b, .. }, .. }, _) => { q.inner.b = 9; b as f32 }
        };
        let c = match { q.mass += 1.0; q } { Particle { mass, .. } => { q.mass = 0.0; mass } };
        a + 3.0 * b + 7.0 * c + p.mass + q.mass
    }
    quantities(x: f32) -> f32 {
        let a = Quantity::<Metre>(PhantomData, x);
        let b = a + Quantity(PhantomData, 3.0);
        let Quantity(mark, area) = b * a;
        let again: Quantity<Squared<Metre>> = Quantity(mark, 1.5);
        let m = Marked::<f32, Metre> { value: area, marks: [PhantomData; 2], other: PhantomData };
        let n = Marked { value: 2.0, ..m };
        match (again + Quantity(mark, 0.25), n) {
            (Quantity(PhantomData, y), Marked { value, .. }) => y * value + m.value
        }
    }
}

/// Each takes another ticket.
#[kernel]
fn tickets(next: &mut Field<u32>, out: &mut Field<Turned>) {
    for i in out.indices() {
        out[i] = Turned(i as u8, next[0].atomic_add(1));
    }
}

fn check_tickets(device: &Device) {
    for n in SIZES {
        let (mut next, mut out) = (Field::full(device, 1, 5).unwrap(), Field::zeros(device, n).unwrap());
        tickets(&mut next, &mut out).unwrap();
        let out = out.to_vec().unwrap();
        let mut taken: Vec<u32> = out.iter().map(|t| t.1).collect();
        taken.sort_unstable();
        equal("tickets", &taken, &(5..n as u32 + 5).collect::<Vec<_>>());
        let of: Vec<u8> = out.iter().map(|t| t.0).collect();
        equal("tickets", &of, &(0..n).map(|i| i as u8).collect::<Vec<_>>());
    }
}

/// A method without `self`, and arguments that are tuple structs.
#[kernel]
fn arguments(x: &Field<i32>, out: &mut Field<i32>, by: units::Litre, mark: Quantity<Metre>) {
    for i in out.indices() {
        out[i] = x[i] * by.0 + by.1 as i32 + mark.1 as i32;
    }
}

#[kernel]
fn places(s: &mut Field<Sample>, by: f32) {
    for i in s.indices() {
        let old = s[i];
        s[i].2 = Meters(by);
        s[i].2.0 += old.2.0;
        s[i].1.y = s[i].2.0 + old.1.z;
        s[i].3[i % 2] -= old.0 as i32;
        s[i].4 = Nothing();
        s[i].5 *= 0.5;
        let Sample(small, ..) = s[i];
        s[i].0 = small.wrapping_add(match s[i] {
            Sample(0..=9, _, Meters(_), pair, ..) => pair[1] as u8,
            _ => 3,
        });
    }
}

fn placed(mut s: Sample, i: usize, by: f32) -> Sample {
    let old = s;
    s.2 = Meters(by + old.2.0);
    s.1.y = s.2.0 + old.1.z;
    s.3[i % 2] -= i32::from(old.0);
    s.5 *= 0.5;
    s.0 = s.0.wrapping_add(if s.0 <= 9 { s.3[1] as u8 } else { 3 });
    s
}

/// One member is summed up by all while others are written plainly.
#[kernel]
fn sums(x: &Field<i32>, s: &mut Field<Sample>) {
    let n = s.len();
    for i in x.indices() {
        let k = x[i].unsigned_abs() as usize % n;
        s[k].2.0.atomic_add(x[i] as f32);
        s[k].3[i % 2].atomic_max(x[i]);
        s[k].5.atomic_add(2.0);
    }
    for i in s.indices() {
        s[(i * 7 + 1) % n].3[1].atomic_add(i as i32);
        s[i].0 = s[i].1.x as u8;
        s[i].2 = Meters(s[i].2.0 + 1.0);
    }
}

#[kernel]
fn marked<U: Send + Sync + 'static>(x: &Field<Quantity<U>>, out: &mut Field<Quantity<Squared<U>>>) {
    for i in out.indices() {
        out[i] = x[i] * x[i];
        out[i].1 += 1.0;
        out[i].0 = PhantomData;
    }
}

/// Values that are equal where these are, whatever the rest of them.
#[derive(Element, Clone, Copy, Debug)]
struct Grade {
    value: i32,
    noise: i32,
}

#[func]
impl PartialEq for Grade {
    fn eq(&self, other: &Grade) -> bool {
        self.value == other.value
    }
}

#[func]
impl Default for Grade {
    fn default() -> Grade {
        Grade { value: 7, noise: 3 }
    }
}

#[derive(Element, Clone, Copy, Debug)]
#[element(PartialEq)]
#[element(Default)]
struct Nested<T> {
    r#type: T,
    list: [[T; 2]; 2],
}

#[derive(Element, Clone, Copy, Debug)]
#[element(PartialEq, Default)]
struct Empty {}

#[derive(Element, Clone, Copy, Debug)]
#[element(PartialEq, Default)]
struct Key(u8, Vec3, [f64; 2], Nested<Grade>, PhantomData<Metre>, Empty, bool);

fn key(x: i32) -> Key {
    let grade = |value| Grade { value, noise: x };
    Key(
        x as u8 % 3,
        Vec3::new(1.0, x as f32, 0.0),
        [0.0, if x % 5 == 4 { f64::NAN } else { 1.0 }],
        Nested {
            r#type: grade(x % 2),
            list: [[grade(1), grade(2)], [grade(3), grade(x % 4)]],
        },
        PhantomData,
        Empty {},
        x % 7 == 0,
    )
}

#[kernel]
fn equalities(a: &Field<Key>, b: &Field<Key>, out: &mut Field<i32>) {
    for i in out.indices() {
        let (a, b) = (a[i], b[i]);
        let mut found = (a == b) as i32 + 2 * (a != b) as i32;
        found += 4 * (a.3 == b.3) as i32 + 8 * (a.3.list != b.3.list) as i32 + 16 * (a.2 == b.2) as i32;
        found += 32 * ([a.3.r#type; 2] == [b.3.r#type, a.3.r#type]) as i32 + 64 * (a.4 == PhantomData) as i32;
        out[i] = found
            + 128 * (a.5 != Empty {}) as i32
            + 256
                * (Nested {
                    r#type: a.0,
                    list: [[a.0; 2]; 2],
                } == Nested {
                    r#type: b.0,
                    list: [[a.0; 2]; 2],
                }) as i32;
    }
}

/// Member by member, the text aside.
fn alike(a: Key, b: Key) -> i32 {
    let grades = |k: Key| {
        [
            k.3.r#type.value,
            k.3.list[0][0].value,
            k.3.list[0][1].value,
            k.3.list[1][0].value,
            k.3.list[1][1].value,
        ]
    };
    let (nested, list) = (grades(a) == grades(b), grades(a)[1..] == grades(b)[1..]);
    let doubles = a.2[0] == b.2[0] && a.2[1] == b.2[1];
    let all = a.0 == b.0 && a.1.to_array() == b.1.to_array() && doubles && nested && a.6 == b.6;
    let first = 32 * i32::from(grades(a)[0] == grades(b)[0]) + 64 + 256 * i32::from(a.0 == b.0);
    i32::from(all)
        + 2 * i32::from(!all)
        + 4 * i32::from(nested)
        + 8 * i32::from(!list)
        + 16 * i32::from(doubles)
        + first
}

/// Structs that a macro writes, whose members have types of who calls it.
macro_rules! written {
    ($($name:ident $t:ty, $($member:ident)*;)*) => {$(
        #[derive(Element, Clone, Copy, Debug)]
        #[element(PartialEq, Default)]
        struct $name {
            own: $t,
            $($member: $t,)*
        }
    )*};
}
written! {
    Single i32,;
    Triple [u8; 2], a b;
}

#[kernel]
fn of_written(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let single = Single { own: x[i] % 3 };
        let triple = Triple {
            own: [x[i] as u8 % 2, 0],
            ..Triple::default()
        };
        out[i] = (single == Single::default()) as i32 + 2 * (triple == Triple::default()) as i32;
        out[i] += 4 * (triple != Triple { b: [0, 5], ..triple }) as i32;
    }
}

#[kernel]
fn defaults(keys: &mut Field<Key>, sums: &mut Field<f64>) {
    for i in keys.indices() {
        keys[i] = Key {
            0: i as u8,
            ..Key::default()
        };
        let nested = Nested::<[i32; 2]>::default();
        let grades = <[Grade; 3]>::default();
        sums[i] = f64::default() + nested.list[1][0][1] as f64 + grades[2].value as f64 + Vec3::default().y as f64;
        if !bool::default() && Empty::default() == (Empty {}) && DMat2::default() == DMat2::ZERO {
            sums[i] += u8::default() as f64 + 0.5 + Grade::default().noise as f64;
        }
    }
}

fn check_derived(device: &Device) {
    let n = 4 * 3 * 5 * 7 * 2;
    let pairs: Vec<(Key, Key)> = (0..n)
        .map(|i| (key(i), key(if i % 3 == 0 { i } else { i * 11 % 13 })))
        .collect();
    let (first, second): (Vec<Key>, Vec<Key>) = pairs.iter().copied().unzip();
    let a = Field::from_vec(device, first).unwrap();
    let b = Field::from_vec(device, second).unwrap();
    let mut out = Field::full(device, n as usize, 0).unwrap();
    equalities(&a, &b, &mut out).unwrap();
    let expected: Vec<i32> = pairs.iter().map(|(a, b)| alike(*a, *b)).collect();
    assert!(expected.iter().any(|e| e & 1 == 1) && expected.iter().filter(|e| *e & 4 != 0).any(|e| e & 1 == 0));
    equal("equalities", &out.to_vec().unwrap(), &expected);
    let on_host: Vec<bool> = pairs.iter().map(|(a, b)| a == b).collect();
    equal(
        "on the host",
        &on_host,
        &expected.iter().map(|e| e & 1 == 1).collect::<Vec<_>>(),
    );

    let mut keys = Field::from_vec(device, vec![key(5); 17]).unwrap();
    let mut sums = Field::full(device, 17, -1.0).unwrap();
    defaults(&mut keys, &mut sums).unwrap();
    for (i, k) in keys.to_vec().unwrap().into_iter().enumerate() {
        assert_eq!((k.0, k.1, k.2, k.6), (i as u8, Vec3::ZERO, [0.0; 2], false));
        let grades = [
            k.3.r#type,
            k.3.list[0][0],
            k.3.list[0][1],
            k.3.list[1][0],
            k.3.list[1][1],
        ];
        assert!(grades.iter().all(|g| (g.value, g.noise) == (7, 3)), "{k:?}");
    }
    equal("defaults", &sums.to_vec().unwrap(), &[10.5; 17]);
    assert_eq!(Key::default().3.list[1][0].noise, 3);

    let numbers = Field::from_fn(device, 29, |[i]| i as i32).unwrap();
    let mut out = Field::full(device, 29, -1).unwrap();
    of_written(&numbers, &mut out).unwrap();
    let expected = (0..29).map(|x| i32::from(x % 3 == 0) + 2 * i32::from(x % 2 == 0) + 4);
    equal("of_written", &out.to_vec().unwrap(), &expected.collect::<Vec<_>>());
}

fn check_places<L: FieldLayout>(device: &Device) {
    for n in SIZES {
        let values: Vec<Sample> = (0..n).map(sample).collect();
        let mut s = Field::<Sample>::from_slice(device, &values)
            .unwrap()
            .with_layout(L::default())
            .unwrap();
        places(&mut s, 0.5).unwrap();
        let expected: Vec<Sample> = values.iter().enumerate().map(|(i, s)| placed(*s, i, 0.5)).collect();
        equal(&format!("places, {n} elements"), &s.to_vec().unwrap(), &expected);

        let x: Vec<i32> = (0..3 * n).map(scatter).collect();
        sums(&Field::from_slice(device, &x).unwrap(), &mut s).unwrap();
        let mut summed = expected;
        for (i, x) in x.iter().enumerate() {
            let s = &mut summed[x.unsigned_abs() as usize % n];
            s.2.0 += *x as f32;
            s.3[i % 2] = s.3[i % 2].max(*x);
            s.5 += 2.0;
        }
        for i in 0..n {
            summed[(i * 7 + 1) % n].3[1] += i as i32;
            summed[i].0 = summed[i].1.x as u8;
            summed[i].2.0 += 1.0;
        }
        equal(&format!("sums, {n} elements"), &s.to_vec().unwrap(), &summed);

        let lengths = s.member::<f32>("2.0").unwrap();
        let expected: Vec<f32> = summed.iter().map(|s| s.2.0).collect();
        equal("a member", &lengths.to_ndarray().unwrap().to_vec(), &expected);

        let x = Field::from_fn(device, n, |[i]| Quantity::<Metre>(PhantomData, i as f32 - 3.0))
            .unwrap()
            .with_layout(L::default())
            .unwrap();
        let mut out = Field::<Quantity<Squared<Metre>>>::zeros(device, n)
            .unwrap()
            .with_layout(L::default())
            .unwrap();
        marked(&x, &mut out).unwrap();
        let expected: Vec<f32> = (0..n).map(|i| (i as f32 - 3.0) * (i as f32 - 3.0) + 1.0).collect();
        let got: Vec<f32> = out.to_vec().unwrap().iter().map(|q| q.1).collect();
        equal(&format!("marked, {n} elements"), &got, &expected);
    }
}

pub fn check(device: &Device) {
    check_tickets(device);
    macro_rules! alike {
        ($($name:ident $input:expr;)*) => {$(each!(device, $name::kernel, $input, |_, x| $name::plain(x));)*};
    }
    let number = |i: usize| i as i32 * 3 - 20;
    alike! {
        newtype |i| Meters(number(i) as f32);
        several sample;
        generic number;
        ordered number;
        turned number;
        ranges number;
        members particle;
        constants |i| i as i32 - 3;
        changed particle;
        quantities |i| number(i) as f32 * 0.5;
    }
    let (by, mark) = (units::Litre(7, 9), Quantity(PhantomData, 3.0));
    each!(device, |x, out| arguments(x, out, by, mark), number, |_, x| x * 7 + 12);
    check_derived(device);
    check_places::<Aos>(device);
    check_places::<Soa>(device);
    assert_eq!(size_of::<Quantity<Metre>>(), 4);
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources!(
        newtype::kernel,
        several::kernel,
        generic::kernel,
        ordered::kernel,
        turned::kernel,
        tickets,
        ranges::kernel,
        members::kernel,
        constants::kernel,
        changed::kernel,
        quantities::kernel,
        arguments,
        places,
        sums,
        marked<Metre>,
        equalities,
        defaults,
        of_written,
    )
}
