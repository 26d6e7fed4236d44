//! The weighed sum of a x + y, with respect to a, x and y.

use swathe::derivative::{Gradients, value_and_gradient};
use swathe::prelude::*;

use super::{Program, pair};
use crate::Failure;
use crate::bytes::numbers;
use crate::input::{rnd, weyl};
use crate::size::Size;
use crate::workload::Workload;

pub const WORKLOADS: [Workload; 2] = pair::<Saxpy>(
    ["saxpy_loss", "saxpy_grad"],
    "",
    1e-4,
    [|size| reference(size)[..1].to_vec(), reference],
);

const A: f32 = 2.5;

#[kernel(grad)]
fn weighed(a: &Field<f32, 0>, x: &Field<f32>, y: &Field<f32>, w: &Field<f32>) -> f32 {
    let mut sum = 0.0;
    for i in x.indices() {
        sum += w[i] * (a[[]] * x[i] + y[i]);
    }
    sum
}

struct Saxpy {
    a: Field<f32, 0>,
    x: Field<f32>,
    y: Field<f32>,
    w: Field<f32>,
}

fn elements(size: Size) -> usize {
    size.of(1 << 12, 1 << 22)
}

fn weight(i: usize) -> f32 {
    (rnd(i) - 0.5) as f32
}

impl Program for Saxpy {
    fn new(device: &Device, size: Size) -> Result<Saxpy, Failure> {
        let n = elements(size);
        Ok(Saxpy {
            a: Field::full(device, [], A)?,
            x: Field::from_vec(device, (0..n).map(weyl).collect())?,
            y: Field::from_vec(device, (n..2 * n).map(weyl).collect())?,
            w: Field::from_vec(device, (0..n).map(weight).collect())?,
        })
    }

    fn loss(&mut self) -> swathe::Result<f32> {
        weighed(&self.a, &self.x, &self.y, &self.w)
    }

    fn gradient(&mut self) -> swathe::Result<(f64, Gradients)> {
        let Saxpy { a, x, y, w } = self;
        value_and_gradient([a.source(), x.source(), y.source()], || weighed(a, x, y, w).map(drop))
    }

    fn numbers(&self, gradients: &Gradients) -> swathe::Result<Vec<Vec<f64>>> {
        Ok(vec![
            numbers(&gradients.get(&self.a)?.to_vec()?),
            numbers(&gradients.get(&self.x)?.to_vec()?),
            numbers(&gradients.get(&self.y)?.to_vec()?),
        ])
    }
}

fn reference(size: Size) -> Vec<Vec<f64>> {
    let n = elements(size);
    let a = f64::from(A);
    let all = || (0..n).map(|i| (f64::from(weyl(i)), f64::from(weyl(n + i)), f64::from(weight(i))));
    vec![
        vec![all().map(|(x, y, w)| w * (a * x + y)).sum()],
        vec![all().map(|(x, _, w)| w * x).sum()],
        all().map(|(_, _, w)| a * w).collect(),
        all().map(|(_, _, w)| w).collect(),
    ]
}
