//! Arithmetic without memory: integers and doubles.

use swathe::prelude::*;

use crate::data::{Size, Twin, hash, input, output, random};
use crate::idiom::{Measured, idiom};
use crate::idioms::numbers_by_hand::{collatz, congruences, divisors, hashes, logistic, mandelbrot};

pub fn all() -> Vec<Box<dyn Measured>> {
    let keys = |size: Size| Ok((input([size.n()], hash)?, output::<u32, 1, _>([size.n()])?));
    vec![
        idiom("hash of integers", keys, hashes)
            .form("in the loop", hash_loop::plan, |(x, y)| {
                hash_loop(&x.field, &mut y.field)
            })
            .form("`#[func]`", hash_func::plan, |(x, y)| hash_func(&x.field, &mut y.field))
            .done(),
        idiom("linear congruences, 16 rounds", keys, congruences)
            .form("`for`", lcg_for::plan, |(x, y)| lcg_for(&x.field, &mut y.field))
            .form("`while`", lcg_while::plan, |(x, y)| lcg_while(&x.field, &mut y.field))
            .form("on the element", lcg_element::plan, |(x, y)| {
                lcg_element(&x.field, &mut y.field)
            })
            .done(),
        idiom(
            "Collatz",
            |size| Ok((output::<u32, 1, _>([size.of(1 << 15, 1 << 16)])?,)),
            collatz,
        )
        .form("`while`, `if`", collatz_if::plan, |(y,)| collatz_if(&mut y.field))
        .form("value of `if`", collatz_value::plan, |(y,)| collatz_value(&mut y.field))
        .form("`loop`, `break`", collatz_loop::plan, |(y,)| collatz_loop(&mut y.field))
        .done(),
        idiom(
            "Mandelbrot, f64",
            |size| Ok((output::<u32, 2, _>(size.of([128, 131], [1024, 1027]))?,)),
            mandelbrot,
        )
        .form("`while`", mandelbrot_while::plan, |(y,)| mandelbrot_while(&mut y.field))
        .form("`for`, `break`", mandelbrot_for::plan, |(y,)| {
            mandelbrot_for(&mut y.field)
        })
        .form("`#[func]`", mandelbrot_func::plan, |(y,)| mandelbrot_func(&mut y.field))
        .tolerance(0.05)
        .done(),
        idiom("logistic map, f64", doubles, logistic)
            .form("local variable", logistic_local::plan, |(x,)| {
                logistic_local(&mut x.field)
            })
            .form("on the element", logistic_element::plan, |(x,)| {
                logistic_element(&mut x.field)
            })
            .tolerance(1e-3)
            .done(),
        idiom("greatest common divisors", keys, divisors)
            .form("`while`", gcd_while::plan, |(x, y)| gcd_while(&x.field, &mut y.field))
            .form("`#[func]`", gcd_func::plan, |(x, y)| gcd_func(&x.field, &mut y.field))
            .done(),
    ]
}

pub type Keys = (Twin<u32>, Twin<u32>);

fn doubles(size: Size) -> swathe::Result<(Twin<f64>,)> {
    Ok((crate::data::state([size.n() / 2], |i| f64::from(random(i)))?,))
}

#[kernel]
fn hash_loop(x: &Field<u32>, y: &mut Field<u32>) {
    for i in y.indices() {
        let mut h = x[i];
        h ^= h >> 16;
        h = h.wrapping_mul(0x7feb_352d);
        h ^= h >> 15;
        h = h.wrapping_mul(0x846c_a68b);
        h ^= h >> 16;
        y[i] = h;
    }
}

#[func]
fn mixed(x: u32) -> u32 {
    let a = (x ^ (x >> 16)).wrapping_mul(0x7feb_352d);
    let b = (a ^ (a >> 15)).wrapping_mul(0x846c_a68b);
    b ^ (b >> 16)
}

#[kernel]
fn hash_func(x: &Field<u32>, y: &mut Field<u32>) {
    for i in y.indices() {
        y[i] = mixed(x[i]);
    }
}

#[kernel]
fn lcg_for(x: &Field<u32>, y: &mut Field<u32>) {
    for i in y.indices() {
        let mut state = x[i];
        for _ in 0..16 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state ^= state >> 13;
        }
        y[i] = state;
    }
}

#[kernel]
fn lcg_while(x: &Field<u32>, y: &mut Field<u32>) {
    for i in y.indices() {
        let mut state = x[i];
        let mut round = 0;
        while round < 16 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state ^= state >> 13;
            round += 1;
        }
        y[i] = state;
    }
}

#[kernel]
fn lcg_element(x: &Field<u32>, y: &mut Field<u32>) {
    for i in y.indices() {
        y[i] = x[i];
        for _ in 0..16 {
            y[i] = y[i].wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            y[i] ^= y[i] >> 13;
        }
    }
}

#[kernel]
fn collatz_if(y: &mut Field<u32>) {
    for i in y.indices() {
        let mut n = i as u32 + 1;
        let mut steps = 0;
        while n != 1 {
            if n % 2 == 0 {
                n /= 2;
            } else {
                n = 3 * n + 1;
            }
            steps += 1;
        }
        y[i] = steps;
    }
}

#[kernel]
fn collatz_value(y: &mut Field<u32>) {
    for i in y.indices() {
        let mut n = i as u32 + 1;
        let mut steps = 0;
        while n > 1 {
            n = if n & 1 == 0 { n >> 1 } else { 3 * n + 1 };
            steps += 1;
        }
        y[i] = steps;
    }
}

#[kernel]
fn collatz_loop(y: &mut Field<u32>) {
    for i in y.indices() {
        let mut n = (i + 1) as u32;
        let mut steps = 0_u32;
        loop {
            if n == 1 {
                break;
            }
            n = if n % 2 == 1 { 3 * n + 1 } else { n / 2 };
            steps += 1;
        }
        y[i] = steps;
    }
}

#[kernel]
fn mandelbrot_while(y: &mut Field<u32, 2>) {
    let [h, w] = y.shape();
    for [i, j] in y.indices() {
        let a = -2.0 + 3.0 * j as f64 / w as f64;
        let b = -1.0 + 2.0 * i as f64 / h as f64;
        let (mut x, mut z, mut steps) = (0.0_f64, 0.0_f64, 0);
        while x * x + z * z < 4.0 && steps < 64 {
            let t = x * x - z * z + a;
            z = 2.0 * x * z + b;
            x = t;
            steps += 1;
        }
        y[[i, j]] = steps;
    }
}

#[kernel]
fn mandelbrot_for(y: &mut Field<u32, 2>) {
    let [h, w] = y.shape();
    for [i, j] in y.indices() {
        let a = -2.0 + 3.0 * j as f64 / w as f64;
        let b = -1.0 + 2.0 * i as f64 / h as f64;
        let mut x = 0.0_f64;
        let mut z = 0.0_f64;
        let mut steps = 0_u32;
        for _ in 0..64 {
            if x * x + z * z >= 4.0 {
                break;
            }
            let t = x * x - z * z + a;
            z = 2.0 * x * z + b;
            x = t;
            steps += 1;
        }
        y[[i, j]] = steps;
    }
}

#[func]
fn escape(a: f64, b: f64) -> u32 {
    let mut x = 0.0_f64;
    let mut z = 0.0_f64;
    let mut steps = 0;
    while x * x + z * z < 4.0 && steps < 64 {
        let t = x * x - z * z + a;
        z = 2.0 * x * z + b;
        x = t;
        steps += 1;
    }
    steps
}

#[kernel]
fn mandelbrot_func(y: &mut Field<u32, 2>) {
    let [h, w] = y.shape();
    for [i, j] in y.indices() {
        y[[i, j]] = escape(-2.0 + 3.0 * j as f64 / w as f64, -1.0 + 2.0 * i as f64 / h as f64);
    }
}

#[kernel]
fn logistic_local(x: &mut Field<f64>) {
    for i in x.indices() {
        let mut value = x[i];
        for _ in 0..8 {
            value = 3.5 * value * (1.0 - value);
        }
        x[i] = value;
    }
}

#[kernel]
fn logistic_element(x: &mut Field<f64>) {
    for i in x.indices() {
        for _ in 0..8 {
            x[i] = 3.5 * x[i] * (1.0 - x[i]);
        }
    }
}

#[kernel]
fn gcd_while(x: &Field<u32>, y: &mut Field<u32>) {
    for i in y.indices() {
        let mut a = x[i] & 0xffff;
        let mut b = x[i] >> 16;
        while b != 0 {
            let t = a % b;
            a = b;
            b = t;
        }
        y[i] = a;
    }
}

#[func]
fn gcd(a: u32, b: u32) -> u32 {
    let mut a = a;
    let mut b = b;
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[kernel]
fn gcd_func(x: &Field<u32>, y: &mut Field<u32>) {
    for i in y.indices() {
        y[i] = gcd(x[i] & 0xffff, x[i] >> 16);
    }
}
