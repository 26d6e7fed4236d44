//! Values taken apart and put together: struct patterns, several places assigned at once, names in patterns, items of arrays, bits of vectors.
// Kernels say things in the ways that they have.
#![allow(
    unused_parens,
    redundant_semicolons,
    clippy::assign_op_pattern,
    clippy::double_parens,
    clippy::let_unit_value,
    clippy::match_single_binding,
    clippy::unit_arg
)]

use swathe::prelude::*;

use super::support::{each, ended, sources, twins};

const DIRECTIONS: [[i32; 2]; 4] = [[0, 1], [1, 0], [-3, 2], [5, -7]];

#[derive(Element, Clone, Copy, Debug, PartialEq, Default)]
struct Body {
    mass: f32,
    at: [i32; 2],
    inner: Inner,
}

#[derive(Element, Clone, Copy, Debug, PartialEq, Default)]
struct Inner {
    a: i32,
    b: u8,
}

#[derive(Element, Clone, Copy, Debug, PartialEq, Default)]
struct Of<T> {
    first: T,
    second: T,
}

/// A trait that knows another length of an array than all others do.
#[func]
trait Counted: Copy {
    fn len(self) -> usize;
}

impl Counted for [Of<i32>; 3] {
    fn len(self) -> usize {
        1
    }
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Nothing {}

#[func]
fn sum_of<const N: usize>(list: &[i32; N]) -> i32 {
    let mut sum = list.len() as i32;
    for item in *list {
        sum = sum * 5 + item;
    }
    sum
}

#[func]
fn bump(x: &mut i32) {
    *x += 1;
}

#[func]
fn third_of(a: i32, _unit: (), b: i32) -> i32 {
    a * 100 + b
}

fn body(i: usize) -> Body {
    let k = i as i32;
    Body {
        mass: i as f32 * 0.5,
        at: [k - 7, 3 * k],
        inner: Inner { a: 5 - k, b: i as u8 },
    }
}

twins! {
    structs(x: Body) -> i64 {
        let Body { mass, at: [_, y], inner } = x;
        let Inner { a, .. } = inner;
        let (Body { at, inner: Inner { b: small, .. }, .. }, double) = (x, mass * 2.0);
        let Body { mass: mut weight, .. } = x;
        weight += 1.0;
        y as i64 * 7 + a as i64 * 11 + at[0] as i64 * 13 + small as i64 * 17 + double as i64 + weight as i64
    }
    generic(x: i32) -> f64 {
        let Of { first, second } = Of { first: x as f64, second: 0.25 };
        let Of::<u8> { first: low, .. } = Of { first: x as u8, second: 200 };
        first * 3.0 - second + low as f64
    }
    assigned(x: i32) -> i32 {
        let (mut a, mut b, mut c) = (x, 2 * x + 1, 7);
        (a, b) = (b, a);
        [b, c] = [c, b + a];
        (a, (_, c)) = (a - 1, (3.5, c ^ a));
        (_, b) = (a, b * 3);
        ((a, b)) = (b + 1, a);
        ([(c), (a)]) = [a, c];
        ;
        (b) = b + 1;;
        _ = a + b;
        let mut list = [a, b, c];
        let mut v = IVec3::new(1, 2, 3);
        (list[0], list[2], v.y) = (list[2], list[1], list[0]);
        let (d, e);
        (d, e) = (list[0], v.y);
        list[0] + 5 * list[1] + 7 * list[2] + 11 * v.y + 13 * c + d - e
    }
    place_after_value(x: i32) -> i32 {
        let mut list = [x, 10, 20, 30];
        let mut k = 0_usize;
        (list[k], k) = ({ k += 1; x + 100 }, 3);
        (k, list[k]) = (2, -x);
        list[0] + 3 * list[1] + 5 * list[2] + 7 * list[3] + 1000 * k as i32
    }
    named(x: i32) -> i32 {
        let a = match x % 9 {
            n @ 1..=3 => n * 10,
            m @ (4 | 6) => -m,
            mut k @ 7.. => { k += 100; k }
            n @ -5 => n,
            other => other * 2,
        };
        let b = match (x % 3, x % 2) {
            (k @ 1..=2, 0) => k + 5,
            (k, s @ 1) if k > 0 => k * s,
            _ => 9,
        };
        a * 100 + b
    }
    items(x: i32) -> i32 {
        let mut sum = 0;
        for [dx, dy] in DIRECTIONS {
            sum = sum * 3 + dx * x + dy;
        }
        let list = [x, x + 1, 5, -x];
        'all: for (k, factor) in [(0, 2), (3, 5), (1, 7)] {
            for item in list {
                if item == 5 { continue; }
                if item > 900 { break 'all; }
                sum += factor * item + list[k];
            }
        }
        for Inner { a, b } in [Inner { a: 1, b: 2 }; 3] {
            sum += a * b as i32;
        }
        for _ in [(); 4] { sum += 1; }
        sum += sum_of(&[x, 3, -x]);
        for Of { first, second } in [Of { first: x, second: 2 }; 3] { sum = sum * 3 + first * second; }
        for row in [[1, 2], [3, 4]] { for v in row { sum = sum * 2 + v; } }
        let rows = [[x; 3]; 2];
        sum + 1000 * list.len() as i32 + DIRECTIONS.len() as i32 + rows.len() as i32 + rows[1][2]
    }
    nothing(x: i32) -> i32 {
        let mut sum = x;
        let () = bump(&mut sum);
        let _ = bump(&mut sum);
        let ((), (), two) = (bump(&mut sum), (), 2);
        sum *= two;
        match bump(&mut sum) { () => sum *= 3 }
        let (a, ()) = (sum, bump(&mut sum));
        let t = (sum, bump(&mut sum), sum);
        let third = third_of(sum, bump(&mut sum), { sum *= 2; sum });
        match (x, (), Nothing {}, 3_i32) {
            (a, (), mut none, b) => {
                sum += a * b;
                none = Nothing {};
                let _ = none;
            }
        }
        let (unit, Nothing {}) = (bump(&mut sum), Nothing {});
        let units = [bump(&mut sum), unit, bump(&mut sum)];
        let [first, _] = [units; 2];
        let [_, (), last] = first;
        let () = last;
        sum + a * 5 + t.0 * 7 + t.2 * 11 + third
    }
    bits(x: IVec3) -> IVec3 {
        let v = IVec3::new(5, -9, 1 << 20);
        let mut w = (x & v) | (x ^ 6) | !v;
        w <<= 3;
        w ^= x >> 2;
        w &= v | 1;
        (w << 1) + (!x >> 1)
    }
    long_bits(x: i64) -> Vector<i64, 2> {
        let v = Vector::<i64, 2>::new(x, -7);
        let u = Vector::<u8, 3>::new(200, x as u8, 3) << 1;
        (v << 40) ^ (v >> 3) ^ Vector::<i64, 2>::new(u.x as i64, (!u).y as i64)
    }
    signed_counter(x: i32) -> i64 {
        let mut sum = 0;
        for k in 0..10_i64 {
            sum = sum * 3 + (k > -1) as i64 + (k | -4) + if x > 5 { -1 } else { k } + (k - 12) / 5;
        }
        sum
    }
}

/// Positions that are compared with numbers below zero.
#[kernel]
fn signed_positions(out: &mut Field<i64>) {
    for i in 0..17_i64 {
        if i > -1 {
            out[i as usize].atomic_add((i | -8) + i / -3);
        }
    }
    for i in (0..17_i64).step_by(5) {
        out[i as usize].atomic_add(if i > 100 { 7 } else { i ^ -1 });
    }
}

#[func]
const fn constant(x: u32) -> u32 {
    u32::wrapping_add(x.wrapping_mul(3).count_ones(), 7).rotate_left(3)
}

#[func]
#[expect(unused_parens)]
fn far(x: f64) -> f64 {
    (x.hypot(1e200))
}

#[func]
#[expect(unreachable_code)]
fn leaves(x: bool, _y: bool) -> bool {
    (return x) && _y
}

#[func]
#[allow(unreachable_code)]
fn leaves_blocks(x: i32, y: i32) -> i32 {
    let a = 'a: { (break 'a x > 3) || y > 0 };
    let b = 'b: { (break 'b y) as i32 };
    if a {
        return b;
    }
    x * 10
}

#[func]
fn unnamed(_: f32, x: i32, _: i32) -> i32 {
    x * 2
}

#[kernel]
fn called(x: &Field<i32>, out: &mut Field<i32>, _: u32) {
    for i in out.indices() {
        let more = constant(x[i] as u32) as i32 + (far(x[i] as f64) > 1e199) as i32;
        out[i] =
            more + unnamed(0.5, x[i], 3) + leaves(x[i] > 3, x[i] > 5) as i32 * 1000 + leaves_blocks(x[i], 7 - x[i]);
    }
}

/// Several elements at once.
#[kernel]
fn elements(x: &Field<i32>, out: &mut Field<[i32; 2]>, more: &mut Field<i32>) {
    for i in out.indices() {
        (out[i][1], more[i], out[i][0]) = (x[i], 2 * x[i], x[i] - 1);
    }
}

/// Indices out of tuples, whose values stand in braces in CUDA C.
#[kernel]
fn indices_of_tuples(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        out[i] = x[(7_u8, i + 1).1] + 3 * x[(i, 2_u64).0] - x[(1, (i * 2, 3)).1.0 / 2];
    }
}

pub fn check(device: &Device) {
    macro_rules! alike {
        ($($name:ident $input:expr;)*) => {$(each!(device, $name::kernel, $input, |_, x| $name::plain(x));)*};
    }
    let number = |i: usize| i as i32 * 3 - 20;
    alike! {
        structs body;
        generic number;
        assigned number;
        place_after_value number;
        named number;
        items number;
        nothing number;
        bits |i| IVec3::new(i as i32, -3 * i as i32, i as i32 * 77_777);
        long_bits |i| i as i64 * 0x1_0000_0001 - 50;
        signed_counter number;
    }
    each!(device, |x, out| called(x, out, 3), number, |_, x| {
        let blocks = if x > 3 { 7 - x } else { x * 10 };
        let constant = (x as u32).wrapping_mul(3).count_ones().wrapping_add(7).rotate_left(3) as i32;
        constant + 1 + 2 * x + (x > 3) as i32 * 1000 + blocks
    });
    assert!(!leaves(false, true) && leaves(true, false));
    let mut counted = Field::full(device, 17, 0_i64).unwrap();
    signed_positions(&mut counted).unwrap();
    let expected: Vec<i64> = (0..17)
        .map(|i| (i | -8) + i / -3 + if i % 5 == 0 { i ^ -1 } else { 0 })
        .collect();
    assert_eq!(counted.to_vec().unwrap(), expected);
    let n = 17;
    let x = Field::from_fn(device, n, |[i]| number(i)).unwrap();
    let (mut out, mut more) = (
        Field::full(device, n, [0; 2]).unwrap(),
        Field::full(device, n, 0).unwrap(),
    );
    elements(&x, &mut out, &mut more).unwrap();
    let error = ended(device, indices_of_tuples(&x, &mut more));
    assert!(matches!(error, Err(Error::OutOfBounds { count: 1, .. })), "{error:?}");
    elements(&x, &mut out, &mut more).unwrap();
    let expected: Vec<_> = (0..n).map(|i| [number(i) - 1, number(i)]).collect();
    assert_eq!(out.to_vec().unwrap(), expected);
    assert_eq!(
        more.to_vec().unwrap(),
        (0..n).map(|i| 2 * number(i)).collect::<Vec<_>>()
    );
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources!(
        structs::kernel,
        generic::kernel,
        assigned::kernel,
        place_after_value::kernel,
        named::kernel,
        items::kernel,
        nothing::kernel,
        bits::kernel,
        long_bits::kernel,
        signed_counter::kernel,
        called,
        elements,
        indices_of_tuples,
        signed_positions,
    )
}
