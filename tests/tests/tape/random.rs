//! Random programs of recorded operations, against their tangents.

use ndarray::s;
use swathe::derivative::Tape;
use swathe::prelude::*;

use super::{axpy, devices, number, product, square};

const FIELDS: usize = 4;

/// Numbers of a linear congruence.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Square(usize),
    SquareOdd(usize),
    Product(usize, usize, usize),
    ProductBackwards(usize, usize, usize),
    Axpy(usize, usize, f64),
    AxpyHalves(usize),
    Fill(usize, f64),
    Copy(usize, usize),
    Clone(usize, usize),
    Swap(usize, usize),
}

fn step(dice: &mut Dice) -> Step {
    let a = dice.roll(FIELDS);
    let b = (a + 1 + dice.roll(FIELDS - 1)) % FIELDS;
    let c = (0..FIELDS).find(|c| *c != a && *c != b).unwrap_or(0);
    // Factors may be one field, which is not the product.
    let d = if dice.roll(3) == 0 { a } else { c };
    match dice.roll(10) {
        0 => Step::Square(a),
        1 => Step::SquareOdd(a),
        2 => Step::Product(a, d, b),
        3 => Step::ProductBackwards(a, d, b),
        4 => Step::Axpy(a, b, 0.25),
        5 => Step::AxpyHalves(a),
        6 => Step::Fill(a, 0.75),
        7 => Step::Copy(a, b),
        8 => Step::Clone(a, b),
        _ => Step::Swap(a, b),
    }
}

fn pair<T>(items: &mut [T], read: usize, written: usize) -> (&T, &mut T) {
    assert_ne!(read, written);
    if read < written {
        let (first, second) = items.split_at_mut(written);
        (&first[read], &mut second[0])
    } else {
        let (first, second) = items.split_at_mut(read);
        (&second[0], &mut first[written])
    }
}

fn run(step: Step, fields: &mut [Field<f64>]) -> swathe::Result<()> {
    let half = fields[0].len() / 2;
    match step {
        Step::Square(a) => square(&mut fields[a]),
        Step::SquareOdd(a) => square(&mut fields[a].slice_mut(s![1..;2])?),
        Step::Product(a, b, out) | Step::ProductBackwards(a, b, out) => {
            let mut to = std::mem::replace(&mut fields[out], Field::zeros(&Device::cpu(), 0)?);
            let done = match step {
                Step::Product(..) => product(&fields[a], &fields[b], &mut to),
                _ => product(&fields[a].slice(s![..;-1])?, &fields[b], &mut to),
            };
            fields[out] = to;
            done
        }
        Step::Axpy(a, b, factor) => {
            let (x, y) = pair(fields, a, b);
            axpy(x, y, factor)
        }
        Step::AxpyHalves(a) => {
            let (first, mut rest) = fields[a].split_at_mut(0, half)?;
            axpy(&first, &mut rest.slice_mut(s![..half])?, -0.5)
        }
        Step::Fill(a, value) => fields[a].fill(value),
        Step::Copy(a, b) => {
            let (from, to) = pair(fields, a, b);
            to.copy_from(from)
        }
        Step::Clone(a, b) => {
            fields[b] = fields[a].try_clone()?;
            Ok(())
        }
        Step::Swap(a, b) => {
            fields.swap(a, b);
            Ok(())
        }
    }
}

/// A number and its tangent.
type Dual = (f64, f64);

fn times(a: Dual, b: Dual) -> Dual {
    (a.0 * b.0, a.0 * b.1 + a.1 * b.0)
}

fn plus(a: Dual, b: Dual, factor: f64) -> Dual {
    (a.0 + factor * b.0, a.1 + factor * b.1)
}

fn reference(step: Step, fields: &mut [Vec<Dual>]) {
    let n = fields[0].len();
    let half = n / 2;
    match step {
        Step::Square(a) => fields[a].iter_mut().for_each(|x| *x = times(*x, *x)),
        Step::SquareOdd(a) => fields[a].iter_mut().skip(1).step_by(2).for_each(|x| *x = times(*x, *x)),
        Step::Product(a, b, out) => fields[out] = (0..n).map(|i| times(fields[a][i], fields[b][i])).collect(),
        Step::ProductBackwards(a, b, out) => {
            fields[out] = (0..n).map(|i| times(fields[a][n - 1 - i], fields[b][i])).collect();
        }
        Step::Axpy(a, b, factor) => (0..n).for_each(|i| fields[b][i] = plus(fields[b][i], fields[a][i], factor)),
        Step::AxpyHalves(a) => {
            (0..half).for_each(|i| fields[a][half + i] = plus(fields[a][half + i], fields[a][i], -0.5))
        }
        Step::Fill(a, value) => fields[a].fill((value, 0.0)),
        Step::Copy(a, b) | Step::Clone(a, b) => fields[b] = fields[a].clone(),
        Step::Swap(a, b) => fields.swap(a, b),
    }
}

fn program(device: &Device, seed: u64, n: usize, length: usize) -> swathe::Result<()> {
    let mut dice = Dice(seed);
    let steps: Vec<Step> = (0..length).map(|_| step(&mut dice)).collect();
    // One of the fields is no source.
    let constant = dice.roll(FIELDS);
    let mut duals: Vec<Vec<Dual>> = (0..FIELDS)
        .map(|k| {
            (0..n)
                .map(|i| (number(i, k), if k == constant { 0.0 } else { number(i, 10 + k) - 1.0 }))
                .collect()
        })
        .collect();
    let mut fields = Vec::new();
    for dual in &duals {
        fields.push(Field::from_fn(device, n, |[i]| dual[i].0)?);
    }
    // They are known by their numbers, wherever they go.
    let starts: Vec<_> = (0..FIELDS).map(|k| (fields[k].id(), fields[k].source())).collect();
    let sources = starts.iter().enumerate().filter(|(k, _)| *k != constant);
    let tape = Tape::record(sources.map(|(_, (_, source))| source.clone()), || {
        steps.iter().try_for_each(|step| run(*step, &mut fields))
    })?;
    let tangents: Vec<Vec<f64>> = duals.iter().map(|dual| dual.iter().map(|x| x.1).collect()).collect();
    steps.iter().for_each(|step| reference(*step, &mut duals));
    let seeds: Vec<Field<f64>> = (0..FIELDS)
        .map(|k| Field::from_fn(device, n, |[i]| number(i, 20 + k) - 0.9))
        .collect::<swathe::Result<_>>()?;
    let pairs: Vec<(&dyn swathe::derivative::Seed, &dyn swathe::derivative::Seed)> = fields
        .iter()
        .zip(&seeds)
        .map(|(field, seed)| (field as _, seed as _))
        .collect();
    let mut gradients = tape.backward_from(&pairs)?;
    let mut forward = 0.0;
    for (k, dual) in duals.iter().enumerate() {
        let values = fields[k].to_vec()?;
        for (i, (value, tangent)) in dual.iter().enumerate() {
            assert!((value - values[i]).abs() <= 1e-12 * value.abs().max(1.0), "{steps:?}");
            forward += tangent * (number(i, 20 + k) - 0.9);
        }
    }
    let mut backward = 0.0;
    for (k, tangent) in tangents.iter().enumerate().filter(|(k, _)| *k != constant) {
        // A field that was replaced is gone: its gradient is asked for by one with its number.
        let Some(field) = fields.iter().find(|field| field.id() == starts[k].0) else {
            return Ok(());
        };
        let got = gradients.take(field)?.to_vec()?;
        backward += got.iter().zip(tangent).map(|(d, t)| d * t).sum::<f64>();
    }
    let scale = forward.abs().max(backward.abs()).max(1.0);
    assert!(
        (forward - backward).abs() <= 1e-9 * scale,
        "{forward}, not {backward}: {steps:?}, constant {constant}"
    );
    Ok(())
}

#[test]
fn gradients_are_the_transpose_of_tangents() -> swathe::Result<()> {
    let [cpu, cuda] = devices();
    for seed in 0..400 {
        program(&cpu, seed, [1, 3, 17, 8][seed as usize % 4], 1 + seed as usize % 14)?;
    }
    for seed in 400..420 {
        program(&cuda, seed, 17, 8)?;
    }
    Ok(())
}
