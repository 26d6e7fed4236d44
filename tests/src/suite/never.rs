//! Operands that never have a value: what leaves a function, a loop or a block stands where a value is expected.
// Kernels say things in the ways that they have.
#![allow(
    unreachable_code,
    unused_variables,
    unused_assignments,
    unused_must_use,
    clippy::diverging_sub_expression,
    clippy::let_unit_value,
    clippy::needless_return,
    clippy::never_loop,
    clippy::no_effect,
    clippy::unused_unit
)]

use swathe::prelude::*;

use super::support::{each, scatter, sources};

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Pair {
    first: Vec3,
    list: [i32; 2],
}

#[func]
fn sum(pair: Pair, at: Vec3, k: i32) -> i32 {
    (pair.first.x + at.y) as i32 + pair.list[0] + 3 * pair.list[1] + k
}

#[func]
fn raised(k: &mut i32, by: i32) -> i32 {
    *k += by;
    *k
}

macro_rules! never {
    ($($name:ident($x:ident) $body:block)*) => {
        $(mod $name {
            use super::*;

            #[func]
            pub fn run($x: i32) -> i32 $body

            #[kernel]
            pub fn kernel(x: &Field<i32>, out: &mut Field<i32>) {
                for i in out.indices() {
                    out[i] = run(x[i]);
                }
            }
        })*

        fn check_all(device: &Device) {
            $(each!(device, $name::kernel, scatter, |_, x| $name::run(x));)*
        }

        fn all_sources() -> Vec<(&'static str, swathe::Result<String>)> {
            let mut all = Vec::new();
            $(all.extend(sources![$name::kernel]);)*
            all
        }
    };
}

never! {
    in_a_let(x) { 1 + if x > 0 { return 5; let y = 3; } else { x } }
    typed(x) { 2 * if x > 0 { let z: i32 = return x + 1; } else { 7 } }
    assigned(x) { let mut y = 1; y = 1 + if x > 0 { y = return 5; } else { y }; y + x }
    in_a_loop(x) { 3 + loop { if x > 5 { break 2; } let _ = return 3; } }
    in_a_call(x) { 2 * if x > 0 { raised(&mut 1, return 5); } else { 7 } }
    compound(x) { let mut s = x; s += if x > 3 { let _a: i32 = return 9; } else { x + 1 }; s }
    in_a_tuple(x) { (x, if x > 3 { let _a: i32 = return 9; } else { x + 1 }).1 }
    in_an_array(x) { let t = [x, if x > 3 { let _a: i32 = return 9; } else { x + 1 }]; t[0] + t[1] }
    of_a_tuple(x) { let t = (x, if x > 3 { (1, return 9); } else { x + 1 }); t.0 + t.1 }
    half_a_tuple(x) { let t: (i32, i32) = if x > 10 { (1, 2) } else { (x, return 7) }; t.0 + t.1 }
    matched(x) { let t: (i32, i32) = match x { 1 => (1, 2), 2..=50 => (x, 5), _ => (3, return 8) }; t.0 * t.1 }
    of_a_struct(x) {
        let p = Pair { first: Vec3::new(x as f32, 1.0, 2.0), list: if x > 3 { [return 10; 2] } else { [x, 2] } };
        sum(p, Vec3::ONE, x)
    }
    of_a_vector(x) {
        let p = Pair { first: Vec3::ONE, list: [x, 1] };
        sum(p, if x > 50 { return 1 } else if x < 0 { return 2 } else { Vec3::new(1.0, x as f32, 3.0) }, x)
    }
    both_ways(x) {
        let mut k = x;
        if x > 20 {
            let p = Pair { first: Vec3::ONE, list: [1, 2] };
            return sum(p, if x > 50 { return raised(&mut k, 5) } else { return raised(&mut k, 7) }, raised(&mut k, 100));
        }
        k
    }
    operands_before(x) {
        let mut k = x;
        let y = raised(&mut k, 3) + if x > 0 { return k } else { raised(&mut k, 5) } + raised(&mut k, 7);
        y * 2 + k
    }
    of_an_operand(x) {
        let mut k = x;
        if x > 0 {
            raised(&mut k, 3) + (raised(&mut k, 10), { return k }).0 + raised(&mut k, 1000);
        }
        k - 1
    }
    indexed(x) { let list = [x, 2, 3]; list[if x > 7 { return 4 } else { (x & 1) as usize }] + list[1] }
    placed(x) {
        let mut list = [x, 2, 3];
        list[if x > 7 { return 4 } else { (x & 1) as usize }] = x * 5;
        list[{ if x == -3 { return 11 } 2 }] += 7;
        list[0] + 3 * list[1] + 5 * list[2]
    }
    breaks(x) {
        let mut s = 0;
        'outer: for a in 0..10 {
            for b in 0..(if a > 6 { break 'outer } else { a }) {
                s += if b == x & 3 { continue 'outer } else { b } * 2;
            }
            s += 100;
        }
        s
    }
    blocks(x) { 'b: { let y = 1 + if x > 4 { break 'b 3 } else { x }; y + (x, if x < -4 { break 'b (y * 2) } else { 5 }).1 } }
    conditions(x) {
        if (if x > 40 { return 1 } else { x > 3 }) && { if x == 7 { return 2 } x < 30 } { 3 } else { 4 }
    }
    while_it_may(x) {
        let mut k = x;
        while { if k > 100 { return 7 } k += 1; k < 50 } { k += 3; if k == 20 { break } }
        k
    }
    negated(x) { -(if x > 2 { return 3 } else { x }) + !(if x < -2 { return 4 } else { x }) }
    cast(x) { ((if x > 2 { return 3 } else { x as f64 }) as f32 * 2.0) as i32 }
    nested(x) { return { if x > 0 { return 2 } return { let y: i32 = return 3; } }; }
}

/// The same in a kernel itself.
#[kernel]
fn in_kernels(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let mut k = 0;
        out[i] = 1 + if x[i] > 50 { continue } else { raised(&mut k, x[i]) };
        out[i] += (raised(&mut k, 1), if x[i] < -50 { continue } else { 3 }).0;
        let t: (i32, i32) = if x[i] > 10 { (1, 2) } else { (x[i], continue) };
        out[i] = t.0 + t.1 + k;
    }
}

#[func]
fn steps(n: u64) -> u64 {
    let (mut k, mut s) = (n, 0);
    while k != 1 {
        k = if k % 2 == 0 { k / 2 } else { 3 * k + 1 };
        s += 1;
    }
    s
}

/// The function ends for none but the numbers that come to it.
#[kernel]
fn guarded(x: &Field<u64>, n: u64) -> u64 {
    if n == 0 {
        return 77;
    }
    let m = steps(n);
    m + x[0]
}

pub fn check(device: &Device) {
    check_all(device);
    let x = Field::full(device, 1, 5).unwrap();
    assert_eq!((guarded(&x, 0).unwrap(), guarded(&x, 6).unwrap()), (77, 13));
    each!(device, in_kernels, scatter, |_, x| match x {
        51.. => 0,
        ..=-51 => 1 + x,
        11..=50 => 3 + x + 1,
        _ => 1 + x + x + 1,
    });
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    let mut all = all_sources();
    all.extend(sources![in_kernels, guarded]);
    all
}
