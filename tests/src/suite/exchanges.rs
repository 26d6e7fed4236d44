//! `std::mem::swap`, `replace` and `take`, by every path, beside functions of the same names.
// Kernels say things in the ways that they have.
#![allow(clippy::swap_with_temporary)]

use core::mem::take;
use std::mem;

use swathe::math::Scalar;
use swathe::prelude::*;

use super::support::{SIZES, ended, same, sources};

#[derive(Clone, Copy, Debug, Default, PartialEq, Element)]
struct State {
    at: [i32; 3],
    speed: f32,
    on: bool,
}

/// A function for kernels, and the same text as Rust has it.
macro_rules! both {
    ($(fn $func:ident, $plain:ident($($args:tt)*) $(-> $ret:ty)? $body:block)*) => {$(
        #[func]
        const fn $func($($args)*) $(-> $ret)? $body

        fn $plain($($args)*) $(-> $ret)? $body
    )*};
}

both! {
    fn numbers, plain_numbers(x: i32) -> [i32; 8] {
        let mut a = x;
        let mut b = 2 * x + 1;
        std::mem::swap(&mut a, &mut b);
        core::mem::swap::<i32>(&mut b, &mut (7 * a));
        let mut parts = (a, [b, 5, x]);
        mem::swap(&mut parts.0, &mut parts.1[1]);
        let c = ::std::mem::replace(&mut parts.1[2], parts.0 + 3);
        let mut list = [a, b, c];
        let mut other = [c, x, -a];
        mem::swap(&mut list, &mut other);
        let last = mem::replace(&mut list, [1, x, 3]);
        [parts.0, parts.1[0], parts.1[1], parts.1[2], list[1] + 10 * other[0], last[2], c, b]
    }

    fn of_state, plain_of_state(state: &mut State, x: i32) -> State {
        let old = mem::replace(&mut state.at[0], x);
        let between = mem::replace(&mut state.at[1], old);
        state.at[2] = between;
        state.on = mem::replace(&mut state.on, x > 5) != state.on;
        let speed = mem::replace(&mut state.speed, x as f32 + 0.5);
        mem::replace(state, State { speed, at: [between, x, 7], on: false })
    }

    fn turn, plain_turn(a: &mut u8, b: &mut u8, c: &mut u8) {
        mem::swap(a, b);
        std::mem::swap(b, c);
    }
}

#[func]
fn taken<T: Scalar>(place: &mut T, more: T) -> T {
    let old = take(place);
    let rest = mem::take(place);
    *place += more;
    old + rest
}

/// Counts its calls.
#[func]
fn next(k: &mut usize) -> usize {
    *k += 1;
    *k
}

#[kernel]
fn exchanged(x: &Field<i32>, out: &mut Field<[i32; 8]>, states: &mut Field<State>, bytes: &mut Field<[u8; 3]>) {
    for i in out.indices() {
        out[i] = numbers(x[i]);
        let mut state = states[i];
        let old = of_state(&mut state, x[i]);
        states[i] = state;
        out[i][1] += old.at[0] + 10 * old.at[1] + old.speed as i32 + old.on as i32;
        let [mut a, mut b, mut c] = [1u8, 2, (x[i] & 63) as u8];
        turn(&mut a, &mut b, &mut c);
        bytes[i] = [a, b, c];
    }
}

/// What is taken leaves zeros; operands come from left to right.
#[kernel]
fn left(x: &Field<f32>, out: &mut Field<[f32; 8]>, wholes: &mut Field<i64>) -> f32 {
    use std::mem::{replace, swap};

    let mut before = 3.0;
    let mut behind = 4.5;
    swap(&mut before, &mut behind);
    for i in out.indices() {
        let mut v = Vec3::new(x[i], 1.0, 2.0);
        let mut w = take(&mut v);
        swap(&mut w.x, &mut v.z);
        let mut m = Mat2::from_rows([Vec2::new(x[i], 1.0), Vec2::new(2.0, 3.0)]);
        let n = take(&mut m);
        let mut set = x[i] > 2.0;
        let was = mem::take(&mut set);
        let mut list = [x[i], 5.0, 6.0];
        let old = take(&mut list);
        let mut sum = x[i];
        let first = taken(&mut sum, before);
        let mut k = 0;
        let mut several = [10.0, 20.0, 30.0, 40.0];
        let third = replace(&mut several[next(&mut k)], next(&mut k) as f32 + x[i]);
        out[i] = [
            v.x + v.y + 2.0 * v.z,
            w.x + 10.0 * w.y + 100.0 * w.z,
            m[[0, 0]] + m[[1, 1]] + n[[0, 0]] + n[[1, 1]],
            if was && !set { 1.0 } else { 0.0 },
            list[0] + list[1] + old[1] * old[2],
            sum + first,
            third + several[1],
            several[2],
        ];
        let mut whole = x[i] as i64 + 1;
        wholes[i] = 1000 * take(&mut whole) + whole;
    }
    take(&mut before) + 10.0 * before + 100.0 * behind
}

/// Functions of these names that are the program's own, in its own `mem`.
mod own {
    use swathe::prelude::*;

    pub mod mem {
        use swathe::math::Scalar;
        use swathe::prelude::*;

        /// What is left in `a` is the sum.
        #[func]
        pub fn swap<T: Scalar>(a: &mut T, b: &mut T) {
            *a += *b;
            *b = *a - *b;
        }

        #[func]
        pub fn take(a: &mut i32) -> i32 {
            *a *= 2;
            *a + 1
        }
    }

    #[func]
    fn replace(a: i32, b: i32) -> i32 {
        a * 10 + b
    }

    #[func]
    fn swap<const N: usize>(list: [i32; N], by: i32) -> i32 {
        list[N - 1] + by
    }

    #[kernel]
    pub fn names(x: &Field<i32>, out: &mut Field<[i32; 8]>) {
        for i in out.indices() {
            let mut a = x[i];
            let mut b = 7;
            mem::swap(&mut a, &mut b);
            let c = mem::take(&mut a);
            let d = replace(a, b);
            let e = swap([a, 3, 4], b);
            let mut f = 8;
            let mut g = 9;
            std::mem::swap(&mut f, &mut g);
            super::mem::swap(&mut g, &mut b);
            out[i] = [a, b, c, d, e, f, g, 1];
        }
    }
}

/// Where no `use` of the module's has these names.
mod inside {
    use swathe::prelude::*;

    use super::{SIZES, ended, same};

    /// A kernel and a function of the name that stand in a function's body.
    pub fn check(device: &Device) {
        #[func]
        fn take(a: &mut i32, by: i32) -> i32 {
            *a += by;
            *a
        }

        #[func]
        fn replace(a: &mut i32, b: i32) {
            *a = 2 * b;
        }

        mod of_std {
            pub use std::mem::swap;
        }
        use of_std::swap;

        #[kernel]
        fn inside(out: &mut Field<i32>) {
            for i in out.indices() {
                let mut a = i as i32;
                let mut b = take(&mut a, 5);
                replace(&mut a, b + 1);
                swap(&mut a, &mut b);
                out[i] = 100 * a + b;
            }
        }
        for n in SIZES {
            let mut out = Field::zeros(device, n).unwrap();
            ended(device, inside(&mut out)).unwrap();
            let expected = (0..n as i32).map(|i| 100 * (i + 5) + 2 * (i + 6));
            same("inside", &out, expected.collect());
        }
    }
}

pub fn check(device: &Device) {
    for n in SIZES {
        let x = |i: usize| (i as i32 * 37) % 101 - 20;
        let xs = Field::from_fn(device, n, |[i]| x(i)).unwrap();
        let state = |i: usize| State {
            at: [i as i32, 2 - i as i32, 5],
            speed: i as f32,
            on: i % 3 == 0,
        };
        let mut states = Field::from_fn(device, n, |[i]| state(i)).unwrap();
        let mut out = Field::full(device, n, [0; 8]).unwrap();
        let mut bytes = Field::full(device, n, [0; 3]).unwrap();
        ended(device, exchanged(&xs, &mut out, &mut states, &mut bytes)).unwrap();
        let (mut outs, mut left_states, mut all_bytes) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..n {
            let mut state = state(i);
            let old = plain_of_state(&mut state, x(i));
            let mut numbers = plain_numbers(x(i));
            numbers[1] += old.at[0] + 10 * old.at[1] + old.speed as i32 + i32::from(old.on);
            let [mut a, mut b, mut c] = [1, 2, (x(i) & 63) as u8];
            plain_turn(&mut a, &mut b, &mut c);
            outs.push(numbers);
            left_states.push(state);
            all_bytes.push([a, b, c]);
        }
        same("exchanged", &out, outs);
        same("exchanged", &states, left_states);
        same("exchanged", &bytes, all_bytes);

        let x = |i: usize| (i % 50) as f32;
        let xs = Field::from_fn(device, n, |[i]| x(i)).unwrap();
        let mut out = Field::full(device, n, [0.0; 8]).unwrap();
        let mut wholes = Field::zeros(device, n).unwrap();
        let sum = ended(device, left(&xs, &mut out, &mut wholes)).unwrap();
        assert_eq!(sum, 4.5 + 300.0);
        let expected = (0..n).map(|i| {
            let x = x(i);
            let set = if x > 2.0 { 1.0 } else { 0.0 };
            [2.0 * x, 210.0, x + 3.0, set, 30.0, 4.5 + x, 20.0 + 2.0 + x, 30.0]
        });
        same("left", &out, expected.collect());
        same("left", &wholes, (0..n).map(|i| 1000 * (x(i) as i64 + 1)).collect());

        let x = |i: usize| (i as i32 * 37) % 101 - 20;
        let xs = Field::from_fn(device, n, |[i]| x(i)).unwrap();
        let mut out = Field::full(device, n, [0; 8]).unwrap();
        ended(device, own::names(&xs, &mut out)).unwrap();
        let expected = (0..n).map(|i| {
            let (sum, old) = (x(i) + 7, x(i));
            let a = 2 * sum;
            [a, 8, a + 1, 10 * a + old, 4 + old, 9, old, 1]
        });
        same("names", &out, expected.collect());
    }
    inside::check(device);
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![exchanged, left, own::names]
}
