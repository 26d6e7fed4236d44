//! Names that mean something else in C++, or fall together there, and types that have no size, which C++ does not know.
#![allow(non_camel_case_types, non_snake_case, unused_variables)]

use swathe::prelude::*;
use swathe::{Aos, FieldLayout, Soa};

use super::support::{ended, field, same, sources};

/// Members whose names fall together in C++.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Together {
    class: f32,
    class_: f32,
    class__: f32,
    int: i32,
    int_: i32,
    a__b: u8,
    a_b: u8,
    _a: f64,
    __a: f64,
    é: f32,
    ue9: f32,
    F32_NAN: f32,
    padding: u8,
    padding_13: u16,
    linux: i16,
}

/// Variables called like types whose names come into the text after them.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct body {
    x: f32,
    y: f32,
}

mod other {
    use super::*;

    #[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
    pub struct body {
        pub z: i32,
    }

    #[func]
    pub fn of(body: i32) -> body {
        body { z: body + 1 }
    }
}

#[kernel]
fn like_types(body: &mut Field<body>, body_2: &mut Field<i32>, f32x2: &Field<Vec2>) -> i32 {
    let mut value = 0;
    for place in body.indices() {
        let b = body[place];
        let Array3f32 = [b.x, b.y, f32x2[place].y];
        body[place].x = b.x + Array3f32[1] + Array3f32[2];
    }
    for body in body_2.indices() {
        for element in 0..3 {
            let of_other = other::of(element);
            body_2[body] += of_other.z;
        }
        value += body as i32;
    }
    value
}

fn check_like_types(device: &Device) {
    for n in [0, 1, 3, 17] {
        let old = |i: usize| body { x: i as f32, y: 0.5 };
        let mut bodies = Field::from_fn(device, n, |[i]| old(i)).unwrap();
        let mut sums = Field::full(device, n, 7).unwrap();
        let f32x2 = Field::full(device, n, Vec2::new(9.0, 2.0)).unwrap();
        let value = ended(device, like_types(&mut bodies, &mut sums, &f32x2)).unwrap();
        assert_eq!(value, (0..n as i32).sum::<i32>());
        let new = |i: usize| body {
            x: i as f32 + 2.5,
            ..old(i)
        };
        same("like_types", &bodies, (0..n).map(new).collect());
        same("like_types", &sums, vec![13; n]);
    }
}

/// Members called like the types of those after them.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Types {
    u32: u32,
    u8: f32,
    b: u32,
    c: u8,
    usize: u64,
    i64: i64,
    d: i64,
    Vec3: Vec3,
    w: Vec3,
    Inner: f32,
    t: Inner,
    Inner_2: Inner,
    Array3Float: f32,
    a: [f32; 3],
    Types: f32,
    Mat2: Mat2,
    m: Mat2,
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Inner {
    Inner: f32,
    f32: f32,
}

#[kernel]
fn together(x: &mut Field<Together>) {
    for i in x.indices() {
        let old = x[i];
        x[i].class += 1.0;
        x[i].class_ *= 2.0;
        x[i].class__ = old.class + old.class_;
        x[i].int = old.int_ * 3;
        x[i] = Together {
            a__b: old.a_b + 1,
            a_b: old.a__b * 2,
            _a: old.__a + 0.5,
            __a: old._a - 0.5,
            é: old.ue9 + 7.0,
            ue9: old.é - 7.0,
            F32_NAN: old.F32_NAN + 1.0,
            padding: old.padding + 3,
            padding_13: old.padding_13 + 4,
            linux: old.linux - 5,
            ..x[i]
        };
    }
}

fn plain_together(old: Together) -> Together {
    Together {
        class: old.class + 1.0,
        class_: old.class_ * 2.0,
        class__: old.class + old.class_,
        int: old.int_ * 3,
        int_: old.int_,
        a__b: old.a_b + 1,
        a_b: old.a__b * 2,
        _a: old.__a + 0.5,
        __a: old._a - 0.5,
        é: old.ue9 + 7.0,
        ue9: old.é - 7.0,
        F32_NAN: old.F32_NAN + 1.0,
        padding: old.padding + 3,
        padding_13: old.padding_13 + 4,
        linux: old.linux - 5,
    }
}

#[kernel]
fn types(x: &mut Field<Types>) {
    for i in x.indices() {
        let old = x[i];
        x[i].u32 = old.b + 1;
        x[i].b = old.u32 * 2;
        x[i].u8 = old.c as f32;
        x[i].usize += old.d as u64;
        x[i].Vec3 = old.w * 2.0;
        x[i].w.y = old.Vec3.x + old.Types;
        x[i].Inner = old.t.Inner + old.Inner_2.f32;
        x[i].Inner_2 = Inner {
            Inner: old.Inner,
            f32: old.Array3Float + old.a[1],
        };
        x[i].m = old.Mat2 + old.m;
    }
}

fn plain_types(old: Types) -> Types {
    let mut new = old;
    new.u32 = old.b + 1;
    new.b = old.u32 * 2;
    new.u8 = f32::from(old.c);
    new.usize += old.d as u64;
    new.Vec3 = old.w * 2.0;
    new.w.y = old.Vec3.x + old.Types;
    new.Inner = old.t.Inner + old.Inner_2.f32;
    new.Inner_2 = Inner {
        Inner: old.Inner,
        f32: old.Array3Float + old.a[1],
    };
    new.m = old.Mat2 + old.m;
    new
}

/// Members with raw names, and raw names for those that need none.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Raw {
    r#type: f32,
    plain: f32,
    r#match: Inner,
}

#[kernel]
fn raw(x: &mut Field<Raw>) {
    for i in x.indices() {
        let old = x[i];
        x[i].r#plain = old.r#type + 1.0;
        x[i].r#match.r#f32 = old.plain;
        x[i] = Raw {
            r#type: old.plain * 2.0,
            r#plain: x[i].plain,
            ..x[i]
        };
    }
}

/// The frame and what else a kernel gets, as names of the user's.
#[kernel]
fn frames(x: &Field<i32>, frame: i32, partial_count: i32, errors: i32) -> i32 {
    let mut result = frame * 3;
    for i in x.indices() {
        result += x[i] * partial_count + errors;
    }
    let stopped = result + 1;
    let bound_1_0 = stopped % 5;
    for i in 0..bound_1_0 {
        result += frame;
    }
    result + stopped
}

#[kernel]
fn top_level(x: &mut Field<i32>) -> i32 {
    let mut frame = 0;
    for i in x.indices() {
        frame += x[i];
    }
    let partial_count = frame + x[0];
    for i in x.indices() {
        x[i] += frame + partial_count;
    }
    frame - partial_count
}

#[kernel]
fn size_t(x: &mut Field<i32>, uint32_t: i32) {
    for i in x.indices() {
        x[i] += uint32_t;
    }
}

#[kernel]
fn frame(x: &mut Field<i32>) -> i32 {
    let mut sum = 0;
    for i in x.indices() {
        x[i] += 5;
        sum += x[i];
    }
    sum
}

/// Without members, and with members that have no size.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Empty {}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Hollow {
    first: Empty,
    a: f32,
    none: [f64; 0],
    b: u8,
    between: [Empty; 3],
    c: f32,
    last: Nested,
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Nested {
    empty: Empty,
    none: [Vec3; 0],
}

#[func]
fn emptied(k: &mut i32) -> Empty {
    *k += 1;
    Empty {}
}

#[func]
fn takes(e: Empty, u: (), k: i32, n: Nested) -> (Empty, i32) {
    (e, k + 1)
}

#[kernel]
fn hollow(x: &mut Field<Hollow>, e: Empty, n: Nested, unit: (), none: [f32; 0], by: f32) -> Nested {
    let all = n;
    for i in x.indices() {
        let mut k = 1;
        let mut h = x[i];
        h.a += by;
        h.first = emptied(&mut k);
        h.last = all;
        h.last.empty = e;
        h.between[(k % 3) as usize] = h.first;
        h.none = [];
        let (_, more) = takes(h.between[1], unit, k, n);
        let pair = (h.last.empty, more, unit, h.b);
        let (empty, again, _, b) = pair;
        h.c = (again + b as i32) as f32;
        x[i] = Hollow {
            first: emptied(&mut k),
            b: k as u8,
            last: Nested { empty, none: [] },
            between: [emptied(&mut k); 3],
            ..h
        };
        x[i].first = e;
        x[i].c += k as f32;
    }
    all
}

fn check_hollow(device: &Device, planes: bool) {
    for n in [0, 1, 3, 17] {
        let values: Vec<Hollow> = (0..n)
            .map(|i| Hollow {
                a: i as f32,
                b: i as u8 + 3,
                c: -1.0,
                ..Hollow::default()
            })
            .collect();
        let expected: Vec<Hollow> = values
            .iter()
            .map(|h| Hollow {
                a: h.a + 2.5,
                b: 3,
                c: (3 + i32::from(h.b)) as f32 + 4.0,
                ..*h
            })
            .collect();
        let mut x = field(device, &values);
        let (e, nested) = (Empty::default(), Nested::default());
        if planes {
            let mut x = x.with_layout(swathe::Soa).unwrap();
            assert_eq!(hollow(&mut x, e, nested, (), [], 2.5).unwrap(), nested);
            assert_eq!(x.to_vec().unwrap(), expected);
        } else {
            assert_eq!(hollow(&mut x, e, nested, (), [], 2.5).unwrap(), nested);
            same("hollow", &x, expected);
        }
    }
}

/// Fields of elements without size.
#[kernel]
fn of_nothing(x: &mut Field<Empty>, y: &mut Field<[f32; 0]>, seen: &mut Field<u32>) {
    for i in x.indices() {
        x[i] = Empty {};
        let e = x[i];
        y[i] = [];
        seen[i] += 1;
    }
}

#[func]
fn block_sum_int(x: i32) -> i32 {
    3 * x
}

#[func]
fn div_i32(x: i32) -> i32 {
    x - 1
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct AlignedWide {
    a: i32,
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Wide {
    a: [f32; 4],
}

/// Names of functions that code generation adds.
#[kernel]
fn helpers(x: &Field<i32>, wide: &Field<Wide>, aligned: &Field<AlignedWide>, sums: &mut Field<i64>, by: i32) -> i32 {
    let ahead_int = x.len() as i32;
    let mut block_sum = 0;
    for i in x.indices() {
        let atomic_add_i64 = x[i] as i64 / by as i64;
        let i32_as_u8 = wide[i].a[1] as u8 as i32;
        sums[0].atomic_add(atomic_add_i64 * i32_as_u8 as i64);
        block_sum += block_sum_int(x[i]) / by + div_i32(aligned[i].a) + ahead_int;
    }
    block_sum
}

/// Names that CUDA's headers, C's library and PTX have.
#[allow(non_camel_case_types)]
mod of_others {
    use swathe::prelude::*;

    #[derive(Element, Clone, Copy, Debug, PartialEq)]
    pub struct norm {
        pub div: f32,
        pub clock: i32,
    }

    #[func]
    pub fn make_float4(x: f32, y: f32, z: f32, w: f32) -> Vec4 {
        Vec4::new(w, z, y, x)
    }

    #[func]
    pub fn va_start(x: i32) -> i32 {
        x + 3
    }

    #[func]
    pub fn cudaMalloc(x: i32) -> i32 {
        2 * x
    }

    #[func]
    pub fn erfcxf(x: f32) -> f32 {
        x * x
    }

    #[kernel]
    pub fn inlined_at(x: &Field<i32>, out: &mut Field<norm>) {
        for i in out.indices() {
            let v = make_float4(x[i] as f32, 2.0, 3.0, erfcxf(i as f32));
            out[i] = norm {
                div: v.x - v.w,
                clock: cudaMalloc(va_start(x[i])),
            };
        }
    }

    /// Names of kernels that begin as helpers do.
    #[kernel]
    pub fn load_all(x: &Field<i32>, out: &mut Field<norm>) {
        for i in out.indices() {
            out[i].clock = block_of(x[i]);
        }
    }

    #[func]
    pub fn block_of(x: i32) -> i32 {
        x / 2
    }

    #[kernel]
    pub fn std(x: &Field<i32>, out: &mut Field<norm>) {
        for i in out.indices() {
            out[i].clock = x[i];
        }
    }
}

fn check_of_others(device: &Device) {
    use of_others::{inlined_at, norm};
    for n in [0, 1, 17] {
        let x = Field::from_fn(device, n, |[i]| 5 * i as i32 - 7).unwrap();
        let mut out = Field::full(device, n, norm { div: 1.0, clock: 2 }).unwrap();
        inlined_at(&x, &mut out).unwrap();
        let at = |i: usize| (i * i) as f32 - (5 * i as i32 - 7) as f32;
        let expected = |i: usize| norm {
            div: at(i),
            clock: 2 * (5 * i as i32 - 4),
        };
        same("inlined_at", &out, (0..n).map(expected).collect());
        of_others::std(&x, &mut out).unwrap();
        let expected = |i: usize| norm {
            div: at(i),
            clock: 5 * i as i32 - 7,
        };
        same("std", &out, (0..n).map(expected).collect());
        of_others::load_all(&x, &mut out).unwrap();
        let expected = |i: usize| norm {
            div: at(i),
            clock: (5 * i as i32 - 7) / 2,
        };
        same("load_all", &out, (0..n).map(expected).collect());
    }
}

fn check_helpers(device: &Device) {
    for n in [1, 17, 1000] {
        let x = Field::from_fn(device, n, |[i]| 2 * i as i32).unwrap();
        let wide = Field::from_fn(device, n, |[i]| Wide {
            a: [0.0, (i % 200) as f32, 1.0, 2.0],
        })
        .unwrap();
        let aligned = Field::from_fn(device, n, |[i]| AlignedWide { a: i as i32 % 5 }).unwrap();
        let mut sums = Field::full(device, 1, 0_i64).unwrap();
        let sum = helpers(&x, &wide, &aligned, &mut sums, 3).unwrap();
        let expected: i32 = (0..n as i32).map(|i| 6 * i / 3 + i % 5 - 1 + n as i32).sum();
        assert_eq!(sum, expected);
        let expected: i64 = (0..n as i64).map(|i| 2 * i / 3 * (i % 200)).sum();
        assert_eq!(sums.get([0]).unwrap(), expected);
    }
}

/// Structs that are called like parameters of helpers.
mod of_parameters {
    use swathe::prelude::*;

    macro_rules! structs {
        ($($name:ident)*) => {$(
            #[derive(Element, Clone, Copy, Debug, PartialEq)]
            pub struct $name {
                pub x: f32,
                pub y: f32,
            }
        )*};
    }
    structs!(p element pitch i value);

    #[kernel]
    pub fn turned(
        a: &mut Field<p>,
        b: &mut Field<element>,
        c: &mut Field<pitch>,
        d: &mut Field<i>,
        e: &mut Field<value>,
    ) {
        for k in a.indices() {
            let (u, v) = (b[k], d[k]);
            a[k] = p { x: a[k].y, y: u.x };
            b[k] = element { x: u.y, y: c[k].x };
            c[k] = pitch { x: c[k].y, y: v.x };
            let w = e[k];
            d[k] = i { x: v.y, y: w.x };
            e[k] = value { x: w.y, y: 0.5 };
        }
    }
}

fn check_of_parameters<L: FieldLayout>(device: &Device, layout: L) {
    use of_parameters::{element, i, p, pitch, turned, value};
    for n in [1, 3, 17] {
        macro_rules! made {
            ($name:ident, $from:expr) => {
                Field::from_fn(device, n, |[k]| $name {
                    x: (k * 100 + $from) as f32,
                    y: (k * 100 + $from + 1) as f32,
                })
                .unwrap()
                .with_layout(layout)
                .unwrap()
            };
        }
        let (mut a, mut b, mut c) = (made!(p, 0), made!(element, 2), made!(pitch, 4));
        let (mut d, mut e) = (made!(i, 6), made!(value, 8));
        ended(device, turned(&mut a, &mut b, &mut c, &mut d, &mut e)).unwrap();
        let list = |from: usize| (0..n).map(move |k| ((k * 100 + from) as f32, (k * 100 + from + 1) as f32));
        macro_rules! compared {
            ($got:expr, $name:ident, $from:expr) => {
                assert_eq!(
                    $got.to_vec().unwrap(),
                    list($from).map(|(x, y)| $name { x, y }).collect::<Vec<_>>()
                );
            };
        }
        compared!(a, p, 1);
        compared!(b, element, 3);
        compared!(c, pitch, 5);
        compared!(d, i, 7);
        let of_values = list(9).map(|(x, _)| value { x, y: 0.5 });
        assert_eq!(e.to_vec().unwrap(), of_values.collect::<Vec<_>>());
    }
}

pub fn check(device: &Device) {
    check_helpers(device);
    check_of_parameters(device, Aos);
    check_of_parameters(device, Soa);
    check_of_others(device);
    check_like_types(device);
    for n in [0, 1, 3, 17] {
        let values: Vec<Together> = (0..n)
            .map(|i| Together {
                class: i as f32,
                class_: 0.5 + i as f32,
                class__: -1.0,
                int: 9,
                int_: i as i32 * 5,
                a__b: i as u8,
                a_b: 100 + i as u8,
                _a: 3.0,
                __a: 0.25 * i as f64,
                é: 11.0,
                ue9: i as f32 - 4.0,
                F32_NAN: i as f32 * 3.0,
                padding: i as u8 * 2,
                padding_13: i as u16 * 300,
                linux: -(i as i16),
            })
            .collect();
        let mut x = field(device, &values);
        ended(device, together(&mut x)).unwrap();
        same("together", &x, values.into_iter().map(plain_together).collect());
        let values: Vec<Types> = (0..n)
            .map(|i| {
                let v = i as f32;
                Types {
                    u32: i as u32,
                    u8: v,
                    b: i as u32 * 7,
                    c: i as u8 + 1,
                    usize: i as u64 * 3,
                    i64: -1,
                    d: i as i64 * 5,
                    Vec3: Vec3::new(v, v + 1.0, v + 2.0),
                    w: Vec3::new(v * 2.0, v * 3.0, 5.0),
                    Inner: v + 0.25,
                    t: Inner {
                        Inner: v + 0.5,
                        f32: 2.0,
                    },
                    Inner_2: Inner {
                        Inner: 8.0,
                        f32: v * 9.0,
                    },
                    Array3Float: v + 20.0,
                    a: [1.0, v, 2.0],
                    Types: v * 0.5,
                    Mat2: Mat2::from_array([[v, 1.0], [2.0, 3.0]]),
                    m: Mat2::from_array([[4.0, v], [5.0, 6.0]]),
                }
            })
            .collect();
        let mut x = field(device, &values);
        ended(device, types(&mut x)).unwrap();
        same("types", &x, values.into_iter().map(plain_types).collect());

        let numbers: Vec<i32> = (0..n as i32).map(|i| i * 3 - 4).collect();
        let sum: i32 = numbers.iter().sum();
        let x = field(device, &numbers);
        let result = 7 * 3 + sum * 2 + 5 * n as i32;
        let stopped = result + 1;
        let expected = result + 7 * (stopped % 5).max(0) + stopped;
        assert_eq!(frames(&x, 7, 2, 5).unwrap(), expected, "{n}");
        let mut x = field(device, &numbers);
        if n > 0 {
            assert_eq!(top_level(&mut x).unwrap(), -numbers[0], "{n}");
            let more = 2 * sum + numbers[0];
            same("top_level", &x, numbers.iter().map(|v| v + more).collect());
        }
        let mut x = field(device, &numbers);
        ended(device, size_t(&mut x, 6)).unwrap();
        assert_eq!(frame(&mut x).unwrap(), sum + 11 * n as i32);
    }
    let raws = |i: usize| Raw {
        r#type: i as f32,
        plain: 0.5 * i as f32,
        r#match: Inner::default(),
    };
    let mut x = Field::from_fn(device, 17, |[i]| raws(i)).unwrap();
    assert_eq!(x.member::<f32>("type").unwrap().get(3).unwrap(), 3.0);
    assert!(x.member::<f32>("r#type").is_err());
    ended(device, raw(&mut x)).unwrap();
    let expected = (0..17).map(|i| Raw {
        r#type: raws(i).plain * 2.0,
        plain: raws(i).r#type + 1.0,
        r#match: Inner {
            Inner: 0.0,
            f32: raws(i).plain,
        },
    });
    same("raw", &x, expected.collect());
    check_hollow(device, false);
    check_hollow(device, true);
    let mut seen = Field::zeros(device, 17).unwrap();
    let mut x = field(device, &[Empty {}; 17]);
    let mut y = field(device, &[[0.0f32; 0]; 17]);
    ended(device, of_nothing(&mut x, &mut y, &mut seen)).unwrap();
    same("of_nothing", &seen, vec![1; 17]);
    same("of_nothing", &x, vec![Empty {}; 17]);
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        of_parameters::turned,
        together,
        types,
        raw,
        frames,
        top_level,
        size_t,
        frame,
        hollow,
        of_nothing,
        helpers,
        like_types,
        of_others::inlined_at,
        of_others::load_all,
        of_others::std
    ]
}
