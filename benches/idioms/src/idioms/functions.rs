//! Functions that loops call: long ones, and random numbers.

use rayon::prelude::*;
use swathe::prelude::*;
use swathe::random::{Rng, philox4x32};

use crate::data::{Size, Twin, input, output, random};
use crate::hand::CHUNK;
use crate::idiom::{Measured, idiom};

type Numbers = (Twin<f32>, Twin<f32>);

pub fn all() -> Vec<Box<dyn Measured>> {
    let numbers = |size: Size| {
        Ok((
            input([size.n()], |i| random(i) - 0.5)?,
            output::<f32, 1, _>([size.n()])?,
        ))
    };
    let words = |size: Size| Ok((output::<f32, 1, _>([size.n()])?,));
    vec![
        idiom("long function of f32", numbers, states)
            .form("in the loop", written::plan, |(x, y)| written(&x.field, &mut y.field))
            .form("`#[func]`", called::plan, |(x, y)| called(&x.field, &mut y.field))
            .form("`#[func]` of two", in_two::plan, |(x, y)| {
                in_two(&x.field, &mut y.field)
            })
            .form("method", by_method::plan, |(x, y)| by_method(&x.field, &mut y.field))
            .tolerance(1e-4)
            .done(),
        idiom("random numbers, four for each element", words, randoms)
            .form("`Rng`", of_stream::plan, |(y,)| of_stream(&mut y.field))
            .form("`philox4x32`", of_block::plan, |(y,)| of_block(&mut y.field))
            .done(),
    ]
}

/// A block that makes two numbers of one: in a loop, as functions and as a method.
macro_rules! forms {
    ($v:ident, $parts:block) => {
        #[kernel]
        fn written(x: &Field<f32>, y: &mut Field<f32>) {
            for i in y.indices() {
                let $v = x[i];
                let [a, b] = $parts;
                y[i] = a + b;
            }
        }

        #[func]
        fn both($v: f32) -> [f32; 2] $parts

        #[func]
        fn state($v: f32) -> f32 {
            let [a, b] = $parts;
            a + b
        }

        #[func]
        impl Start {
            fn state(self) -> f32 {
                let $v = self.x;
                let [a, b] = $parts;
                a + b
            }
        }
    };
}

/// Straight steps, as in an equation of state.
macro_rules! steps {
    ($($step:literal)*) => {
        forms!(v, {
            let (a, b) = (v, v * 0.5 + 1.0);
            $(
                let c = (a * $step + b * 0.25).max(-2.0).min(2.0);
                let d = ((c * 0.3 - 0.1) * c + 0.2) * c - 0.5;
                let a = a * 0.5 + (d * d + 1.0).sqrt() * 0.25;
                let b = if d > a { b - c * d } else { b + d / (1.0 + c * c) };
            )*
            [a, b]
        });
    };
}

steps!(0.5 0.25 0.75 0.3 0.6 0.9 0.1 0.2);

#[derive(Element, Clone, Copy)]
struct Start {
    x: f32,
}

#[func]
fn sum(parts: [f32; 2]) -> f32 {
    parts[0] + parts[1]
}

#[kernel]
fn called(x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] = state(x[i]);
    }
}

#[kernel]
fn in_two(x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] = sum(both(x[i]));
    }
}

#[kernel]
fn by_method(x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] = Start { x: x[i] }.state();
    }
}

#[kernel]
fn of_stream(y: &mut Field<f32>) {
    for i in y.indices() {
        let mut rng = Rng::new(7, i as u64);
        y[i] = rng.next_f32() + rng.next_f32() * rng.next_f32() - rng.next_f32();
    }
}

#[func]
fn unit(word: u32) -> f32 {
    (word >> 8) as f32 * 5.960_464_5e-8
}

#[kernel]
fn of_block(y: &mut Field<f32>) {
    for i in y.indices() {
        let [a, b, c, d] = philox4x32([0, 0, i as u32, 0], [7, 0]);
        y[i] = unit(a) + unit(b) * unit(c) - unit(d);
    }
}

by_hand! {
    fn states((x, y): &mut Numbers) {
        y.plain.par_chunks_mut(CHUNK).zip(x.plain.par_chunks(CHUNK)).for_each(|(y, x)| {
            for (y, x) in y.iter_mut().zip(x) {
                *y = state(*x);
            }
        });
    }

    fn randoms((y,): &mut (Twin<f32>,)) {
        y.plain.par_chunks_mut(CHUNK).enumerate().for_each(|(c, y)| {
            for (k, y) in y.iter_mut().enumerate() {
                let [a, b, c, d] = philox4x32([0, 0, (c * CHUNK + k) as u32, 0], [7, 0]);
                *y = unit(a) + unit(b) * unit(c) - unit(d);
            }
        });
    }
}
