//! Compares derivatives: reverse mode with central differences, and with forward mode.

use swathe::prelude::*;

/// A field as numbers.
pub trait Flat {
    /// A field of these numbers.
    fn of(device: &Device, numbers: &[f64]) -> Self;
    /// Its numbers.
    fn numbers(&self) -> Vec<f64>;
}

impl Flat for Field<f64> {
    fn of(device: &Device, numbers: &[f64]) -> Self {
        Field::from_slice(device, numbers).unwrap()
    }

    fn numbers(&self) -> Vec<f64> {
        self.to_vec().unwrap()
    }
}

impl Flat for Field<f64, 0> {
    fn of(device: &Device, numbers: &[f64]) -> Self {
        Field::full(device, [], numbers[0]).unwrap()
    }

    fn numbers(&self) -> Vec<f64> {
        self.to_vec().unwrap()
    }
}

/// Columns of fields of two axes.
pub const COLUMNS: usize = 4;

impl Flat for Field<f64, 2> {
    fn of(device: &Device, numbers: &[f64]) -> Self {
        let mut field = Field::zeros(device, [numbers.len() / COLUMNS, COLUMNS]).unwrap();
        field.copy_from_slice(numbers).unwrap();
        field
    }

    fn numbers(&self) -> Vec<f64> {
        self.to_vec().unwrap()
    }
}

impl Flat for Field<DVec3> {
    fn of(device: &Device, numbers: &[f64]) -> Self {
        let all: Vec<DVec3> = numbers.chunks(3).map(|c| DVec3::new(c[0], c[1], c[2])).collect();
        Field::from_slice(device, &all).unwrap()
    }

    fn numbers(&self) -> Vec<f64> {
        self.to_vec().unwrap().into_iter().flat_map(|v| v.to_array()).collect()
    }
}

/// The numbers of each field.
type Numbers = Vec<Vec<f64>>;
/// Fields at entry to fields behind a kernel, and its result.
type Run<'c> = dyn Fn(&[Vec<f64>]) -> (Numbers, f64) + 'c;
/// Fields at entry, gradients behind a kernel and with respect to its result, to gradients at entry.
type Pullback<'c> = dyn Fn(&[Vec<f64>], &[Vec<f64>], f64) -> Numbers + 'c;
/// Fields at entry and their tangents to those behind a kernel, its result and the tangent of that.
type Jvp<'c> = dyn Fn(&[Vec<f64>], &[Vec<f64>]) -> (Numbers, Numbers, f64, f64) + 'c;

/// A kernel and its derivatives, on fields of numbers.
pub struct Case<'c> {
    pub name: &'c str,
    pub run: &'c Run<'c>,
    pub pullback: &'c Pullback<'c>,
    pub jvp: &'c Jvp<'c>,
}

fn dot(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| a * b).sum()
}

/// Numbers of a field, scattered in -1..1, none of them alike.
pub fn scattered(count: usize, seed: usize) -> Vec<f64> {
    (0..count)
        .map(|k| ((k * 7919 + seed * 104_729 + 13) % 1999) as f64 / 999.5 - 1.0)
        .collect()
}

impl Case<'_> {
    /// At this state, with all gradients against differences if there are few numbers.
    pub fn check(&self, state: &[Vec<f64>]) {
        let like = |seed: usize| -> Vec<Vec<f64>> {
            state
                .iter()
                .enumerate()
                .map(|(k, field)| scattered(field.len(), seed + 17 * k))
                .collect()
        };
        let (weights, weight, direction) = (like(3), 0.7, like(5));
        let gradients = (self.pullback)(state, &weights, weight);
        let (values, tangents, result, t_result) = (self.jvp)(state, &direction);
        let (run, run_result) = (self.run)(state);
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-11 * (1.0 + a.abs());
        let alike = run
            .iter()
            .flatten()
            .zip(values.iter().flatten())
            .all(|(a, b)| near(*a, *b));
        assert!(
            alike && near(run_result, result),
            "{}: values beside tangents",
            self.name
        );
        let (forward, backward) = (
            dot(&tangents, &weights) + t_result * weight,
            dot(&direction, &gradients),
        );
        let size: f64 = 1.0 + forward.abs() + backward.abs();
        assert!(
            (forward - backward).abs() <= 1e-10 * size,
            "{}: forward {forward}, backward {backward}",
            self.name
        );
        let loss = |state: &[Vec<f64>]| {
            let (fields, result) = (self.run)(state);
            dot(&fields, &weights) + result * weight
        };
        let all: usize = state.iter().map(Vec::len).sum();
        let mut number = 0;
        for (k, field) in state.iter().enumerate() {
            for i in 0..field.len() {
                number += 1;
                if all > 100 && number % (all / 20) != 0 {
                    continue;
                }
                let h = 1e-5;
                let moved = |by: f64| {
                    let mut moved = state.to_vec();
                    moved[k][i] += by;
                    loss(&moved)
                };
                let expected = (moved(h) - moved(-h)) / (2.0 * h);
                let got = gradients[k][i];
                assert!(
                    (got - expected).abs() <= 2e-6 * (1.0 + expected.abs()),
                    "{}: gradient of number {i} of field {k}: {got}, by differences {expected}",
                    self.name
                );
            }
        }
    }
}

/// The derivatives of a kernel at a state, `case!(device, kernel, [x: & Field<f64>, y: mut Field<f64>], (values), result or none, states)`.
macro_rules! case {
    ($device:expr, $kernel:ident, [$($name:ident: $how:tt $ty:ty),*], ($($value:expr),*), $result:tt, $states:expr) => {{
        #[allow(unused_mut, unused_variables, unused_assignments)]
        {
            let device: &swathe::Device = $device;
            let run = |state: &[Vec<f64>]| {
                let mut k = 0;
                $(let mut $name = <$ty as $crate::suite::gradients::compare::Flat>::of(device, &state[k]); k += 1;)*
                let result = $kernel($(case!(@pass $how $name),)* $($value),*).unwrap();
                (vec![$($crate::suite::gradients::compare::Flat::numbers(&$name)),*], case!(@result $result result))
            };
            let pullback = |state: &[Vec<f64>], g: &[Vec<f64>], d: f64| {
                let mut k = 0;
                $(let mut $name = (
                    <$ty as $crate::suite::gradients::compare::Flat>::of(device, &state[k]),
                    <$ty as $crate::suite::gradients::compare::Flat>::of(device, &g[k]),
                ); k += 1;)*
                case!(@pullback $result $kernel, [$($name)*], ($($value),*), d);
                vec![$($crate::suite::gradients::compare::Flat::numbers(&$name.1)),*]
            };
            let jvp = |state: &[Vec<f64>], t: &[Vec<f64>]| {
                let mut k = 0;
                $(let mut $name = (
                    <$ty as $crate::suite::gradients::compare::Flat>::of(device, &state[k]),
                    <$ty as $crate::suite::gradients::compare::Flat>::of(device, &t[k]),
                ); k += 1;)*
                let result = $kernel::jvp($(case!(@part $how $name 0),)* $($value,)* $(case!(@part $how $name 1)),*).unwrap();
                let (value, t_value) = case!(@results $result result);
                (
                    vec![$($crate::suite::gradients::compare::Flat::numbers(&$name.0)),*],
                    vec![$($crate::suite::gradients::compare::Flat::numbers(&$name.1)),*],
                    value,
                    t_value,
                )
            };
            let case = $crate::suite::gradients::compare::Case {
                name: stringify!($kernel),
                run: &run,
                pullback: &pullback,
                jvp: &jvp,
            };
            for state in $states {
                case.check(&state);
            }
        }
    }};
    (@pass & $name:ident) => { &$name };
    (@pass mut $name:ident) => { &mut $name };
    (@part & $name:ident $k:tt) => { &$name.$k };
    (@part mut $name:ident $k:tt) => { &mut $name.$k };
    (@result none $result:ident) => { 0.0 };
    (@result sum $result:ident) => { $result };
    (@results none $result:ident) => { (0.0, 0.0) };
    (@results sum $result:ident) => { $result };
    (@pullback none $kernel:ident, [$($name:ident)*], ($($value:expr),*), $d:ident) => {
        $kernel::pullback($(&$name.0,)* $($value,)* $(&mut $name.1),*).unwrap()
    };
    (@pullback sum $kernel:ident, [$($name:ident)*], ($($value:expr),*), $d:ident) => {
        $kernel::pullback($(&$name.0,)* $($value,)* $(&mut $name.1,)* $d).unwrap()
    };
}
pub(crate) use case;

/// States of so many fields, of all lengths, times the numbers that an element has.
pub fn states(numbers: &[usize]) -> Vec<Vec<Vec<f64>>> {
    states_up_to(1000, numbers)
}

/// Likewise, with this length as the largest.
pub fn states_up_to(most: usize, numbers: &[usize]) -> Vec<Vec<Vec<f64>>> {
    let of = |n: usize| {
        numbers
            .iter()
            .enumerate()
            .map(|(k, m)| scattered(n * m, k + 1))
            .collect()
    };
    [0, 1, 3, 17, most].into_iter().map(of).collect()
}
