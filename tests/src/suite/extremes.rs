//! Parallel loops that compare with outer variables, and take what belongs to the least or largest.

use std::fmt::Debug;

use ndarray::s;
use swathe::prelude::*;
use swathe::{OffsetField, ndrange, serial};

use super::support::{SHAPES, SIZES, field, sources};

/// All comparisons of one type; of equal values the first or the last is taken.
macro_rules! comparisons {
    ($($name:ident $t:ident)*) => {
        $(
            #[kernel]
            fn $name(x: &Field<$t>, start: [$t; 4]) -> ([$t; 4], [usize; 4]) {
                let [mut least, mut last_least, mut most, mut last_most] = start;
                let mut at = [usize::MAX; 4];
                let mut of_least = usize::MAX - 1;
                for i in x.indices() {
                    if x[i] < least {
                        least = x[i];
                        of_least = i;
                    }
                    let value = x[i];
                    if last_least >= value {
                        last_least = value;
                        at[1] = i;
                    }
                    if value > most {
                        at[2] = i;
                        most = value
                    }
                    if i != 2 && (value >= last_most) {
                        last_most = value;
                        at[3] = i;
                    }
                }
                at[0] = of_least;
                ([least, last_least, most, last_most], at)
            }
        )*

        fn check_comparisons(device: &Device) {
            $(for n in SIZES {
                let values: Vec<$t> = (0..n).map(|i| ((i * 7919 + 5) % 23) as u8 as $t).collect();
                for start in [[3, 3, 4, 4], [0, 0, 22, 22], [100, 100, 0, 0]] {
                    let start = start.map(|x: u8| x as $t);
                    let got = $name(&field(device, &values), start).unwrap();
                    assert_eq!(got, compared(&values, start), "{}, {n} elements", stringify!($name));
                }
            })*
        }
    };
}

comparisons! { of_i8 i8 of_i32 i32 of_u64 u64 of_f32 f32 of_f64 f64 }

/// What [`comparisons!`] gives, in order.
fn compared<T: Copy + PartialOrd>(x: &[T], start: [T; 4]) -> ([T; 4], [usize; 4]) {
    let (mut best, mut at) = (start, [usize::MAX; 4]);
    at[0] -= 1;
    for (i, value) in x.iter().copied().enumerate() {
        let better = [
            value < best[0],
            value <= best[1],
            value > best[2],
            i != 2 && value >= best[3],
        ];
        for k in 0..4 {
            if better[k] {
                (best[k], at[k]) = (value, i);
            }
        }
    }
    (best, at)
}

/// The value alone, and NaN where the text gives it.
#[kernel]
fn alone(x: &Field<f32>, start: f32) -> (f32, f32) {
    let mut most = start;
    let mut sum = 0.0;
    for i in 0..x.len() {
        if x[i] > most {
            most = x[i];
        }
        sum += x[i];
    }
    (most, sum)
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Body {
    mass: f64,
    place: Vec3,
    kind: u8,
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Nearest {
    distance: f32,
    at: [u32; 2],
    body: Body,
    none: [u8; 0],
}

/// Members of a variable, in two dimensions; a body whole.
#[kernel]
fn nearest(bodies: &Field<Body, 2>, target: Vec3, none: Body) -> Nearest {
    let mut nearest = Nearest {
        distance: f32::MAX,
        at: [100, 200],
        body: none,
        none: [],
    };
    for p in bodies.indices() {
        let distance = bodies[p].place.distance(target);
        if bodies[p].kind != 1 {
            if distance < nearest.distance {
                nearest.distance = distance;
                nearest.at = [p[0] as u32, p[1] as u32];
                nearest.body = bodies[p];
            }
        }
    }
    nearest
}

/// In sequential loops, ranges of other types, with steps, over positions that are not named.
#[kernel]
fn within(x: &Field<i64, 2>, from: i32, step: i32) -> (i64, i32, usize, i64, [usize; 2]) {
    let (mut least, mut row, mut column) = (i64::MAX, -1, 0);
    let [n, m] = x.shape();
    for i in (from..n as i32).step_by(step as usize) {
        for j in serial(0..m) {
            if x[[i as usize, j]] % 5 == 4 {
                continue;
            }
            let value = x[[i as usize, j]];
            if value < least {
                least = value;
                row = i;
                column = j;
            }
            if value - 100 < least {
                least = value - 100;
                row = i;
                column = j;
            }
        }
    }
    let (mut most, mut at) = (i64::MIN, [0, 0]);
    for [_, j] in ndrange([n, m]) {
        for i in 0..n {
            if j < m && x[[i, j]] >= most {
                most = x[[i, j]];
                at = [i, j];
            }
        }
    }
    (least, row, column, most, at)
}

/// What is compared with, used before and behind; and the bounds of the next loop.
#[kernel]
fn one_after_the_other(x: &Field<u32>, y: &mut Field<u32>) -> (usize, u32) {
    let mut at = 0;
    let mut most = 0;
    for i in x.indices() {
        if x[i] > most {
            most = x[i];
            at = i;
        }
    }
    for i in 0..at {
        y[i] = x[i] + most;
    }
    most /= 2;
    let mut behind = 7;
    let mut nothing = [0_u8; 0];
    for i in at..x.len() {
        if most > x[i] {
            nothing = [];
            most = x[i];
            behind = i;
        }
    }
    (behind + nothing.len(), most)
}

/// A parameter is compared, and its name stands in a macro, too.
macro_rules! of_a_parameter {
    ($name:ident, $value:ident) => {
        #[kernel]
        fn $name(x: &Field<i32>, mut $value: i32) -> (i32, usize) {
            let mut at = 1 << 20;
            for i in x.indices() {
                let value = x[i] - 1;
                if value < $value {
                    $value = value;
                    at = i;
                }
            }
            ($value, at)
        }
    };
}
of_a_parameter!(parameter, value);

#[kernel]
fn offset(x: &OffsetField<i16, 2>) -> (i16, [isize; 2]) {
    let mut most = -1;
    let mut at = [0, 0];
    for p in x.indices() {
        if x[p] > most {
            most = x[p];
            at = p;
        }
    }
    (most, at)
}

fn value(k: usize) -> i64 {
    ((k * 7919 + 31) % 97) as i64 - 40
}

fn same<T: PartialEq + Debug>(got: T, expected: T, what: &impl Debug) {
    assert_eq!(got, expected, "{what:?}");
}

fn check_alone(device: &Device) {
    for n in SIZES {
        let mut values: Vec<f32> = (0..n).map(|k| value(k) as f32).collect();
        values.iter_mut().skip(1).step_by(5).for_each(|x| *x = f32::NAN);
        for start in [-100.0, 50.0, f32::NAN] {
            let expected = values.iter().fold(start, |most, x| if *x > most { *x } else { most });
            let (got, sum) = alone(&field(device, &values), start).unwrap();
            assert_eq!(got.to_bits(), expected.to_bits(), "{n} elements from {start}");
            assert_eq!(sum.is_nan(), n > 1);
        }
    }
}

fn check_nearest(device: &Device) {
    let body = |[i, j]: [usize; 2]| Body {
        mass: (i * 31 + j) as f64 + 0.5,
        place: Vec3::new((value(i * 7 + j) % 4) as f32, (i % 3) as f32, 0.0),
        kind: ((i + 2 * j) % 3) as u8,
    };
    let none = Body {
        mass: -1.0,
        ..body([0, 0])
    };
    let target = Vec3::new(1.0, 1.0, 0.5);
    for shape in SHAPES {
        let bodies = Field::from_fn(device, shape, body).unwrap();
        let mut expected = Nearest {
            distance: f32::MAX,
            at: [100, 200],
            body: none,
            none: [],
        };
        for at in (0..shape[0]).flat_map(|i| (0..shape[1]).map(move |j| [i, j])) {
            let distance = body(at).place.distance(target);
            if body(at).kind != 1 && distance < expected.distance {
                (expected.distance, expected.at, expected.body) = (distance, at.map(|k| k as u32), body(at));
            }
        }
        same(nearest(&bodies, target, none).unwrap(), expected, &shape);
    }
}

fn check_within(device: &Device) {
    for shape in SHAPES {
        let [n, m] = shape;
        let x = Field::from_fn(device, shape, |[i, j]| value(i * m + j)).unwrap();
        for (from, step) in [(0, 1), (1, 3), (-3, 3)] {
            let from = i32::max(from, 0);
            let (mut least, mut row, mut column) = (i64::MAX, -1, 0);
            for i in (from..n as i32).step_by(step as usize) {
                for j in 0..m {
                    let value = value(i as usize * m + j);
                    if value % 5 == 4 {
                        continue;
                    }
                    for value in [value, value - 100] {
                        if value < least {
                            (least, row, column) = (value, i, j);
                        }
                    }
                }
            }
            let (mut most, mut at) = (i64::MIN, [0, 0]);
            // Each row of the range does all of a column.
            for _ in 0..n {
                for (i, j) in (0..m).flat_map(|j| (0..n).map(move |i| (i, j))) {
                    if value(i * m + j) >= most {
                        (most, at) = (value(i * m + j), [i, j]);
                    }
                }
            }
            same(
                within(&x, from, step).unwrap(),
                (least, row, column, most, at),
                &(shape, from, step),
            );
        }
    }
}

fn check_loops(device: &Device) {
    for n in SIZES {
        let values: Vec<u32> = (0..n).map(|k| (value(k) + 41) as u32).collect();
        let mut y = Field::zeros(device, n).unwrap();
        let got = one_after_the_other(&field(device, &values), &mut y).unwrap();
        let most = values.iter().copied().max().unwrap_or(0);
        let at = values.iter().position(|x| *x == most).unwrap_or(0);
        let mut expected = (7, most / 2);
        for (i, x) in values.iter().enumerate().skip(at) {
            if *x < expected.1 {
                expected = (i, *x);
            }
        }
        same(got, expected, &n);
        let signed: Vec<i32> = (0..n).map(|k| value(k) as i32).collect();
        let mut expected = (-5, 1 << 20);
        for (i, x) in signed.iter().enumerate() {
            if x - 1 < expected.0 {
                expected = (x - 1, i);
            }
        }
        same(parameter(&field(device, &signed), -5).unwrap(), expected, &n);
        let written: Vec<u32> = (0..n).map(|i| if i < at { values[i] + most } else { 0 }).collect();
        same(y.to_vec().unwrap(), written, &n);
    }
}

fn check_views(device: &Device) {
    for shape in SHAPES {
        let [n, m] = shape;
        let whole = Field::from_fn(device, [n + 2, 2 * m], |[i, j]| value(i * 31 + j) as i16).unwrap();
        let part = whole.slice(s![1..n + 1, ..;2]).unwrap();
        let mut expected = (-1, [0, 0]);
        for (i, j) in (0..n).flat_map(|i| (0..m).map(move |j| (i, j))) {
            let value = value((i + 1) * 31 + 2 * j) as i16;
            if value > expected.0 {
                expected = (value, [i as isize - 5, j as isize + 3]);
            }
        }
        let part = Field::from_ndarray(device, &part.to_ndarray().unwrap()).unwrap();
        same(offset(&part.with_origin([-5, 3]).unwrap()).unwrap(), expected, &shape);
    }
}

pub fn check(device: &Device) {
    check_comparisons(device);
    check_alone(device);
    check_nearest(device);
    check_within(device);
    check_loops(device);
    check_views(device);
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        of_i8,
        of_i32,
        of_u64,
        of_f32,
        of_f64,
        alone,
        nearest,
        within,
        one_after_the_other,
        parameter,
        offset
    ]
}
