//! A chain of springs between two walls, two thousand steps, with respect to the stiffness of each spring.

use swathe::derivative::{Gradients, value_and_gradient};
use swathe::prelude::*;

use super::{Program, pair};
use crate::Failure;
use crate::bytes::numbers;
use crate::input::rnd;
use crate::size::Size;
use crate::workload::Workload;

pub const WORKLOADS: [Workload; 2] = pair::<Chain>(
    ["mass_spring_loss", "mass_spring_grad"],
    "",
    // Numbers up to 1000 over 2000 steps: in `f32` everyone is off by 1.5e-3.
    5e-3,
    [|size| reference(size)[..1].to_vec(), reference],
);

const DT: f32 = 0.01;
const REST: f32 = 0.9;

#[func(grad)]
fn pull(from: Vec2, to: Vec2, stiffness: f32) -> Vec2 {
    let d = to - from;
    let length = d.length();
    d * (stiffness * (length - REST) / length)
}

/// A step. Both ends are fixed.
#[kernel(grad)]
fn step(x: &mut Field<Vec2>, v: &mut Field<Vec2>, stiffness: &Field<f32>) {
    for i in 1..x.len() - 1 {
        v[i] += DT * (pull(x[i], x[i + 1], stiffness[i]) - pull(x[i - 1], x[i], stiffness[i - 1]));
    }
    for i in x.indices() {
        x[i] += DT * v[i];
    }
}

#[kernel(grad)]
fn moved(x: &Field<Vec2>) -> f32 {
    let mut sum = 0.0;
    for i in x.indices() {
        let d = x[i] - Vec2::new(i as f32, 0.0);
        sum += d.dot(d);
    }
    sum
}

struct Chain {
    stiffness: Field<f32>,
    start: (Field<Vec2>, Field<Vec2>),
    now: (Field<Vec2>, Field<Vec2>),
    steps: usize,
}

fn springs(size: Size) -> usize {
    size.of(40, 1000)
}

fn steps(size: Size) -> usize {
    size.of(100, 2000)
}

fn velocity(i: usize, springs: usize) -> [f32; 2] {
    [0, 1].map(|c| match i {
        0 => 0.0,
        _ if i == springs => 0.0,
        _ => (rnd(springs + 2 * i + c) - 0.5) as f32,
    })
}

fn stiffness(s: usize) -> f32 {
    (50.0 + 50.0 * rnd(s)) as f32
}

fn run(all: &mut Chain) -> swathe::Result<f32> {
    let Chain {
        stiffness, start, now, ..
    } = all;
    now.0.copy_from(&start.0)?;
    now.1.copy_from(&start.1)?;
    for _ in 0..all.steps {
        step(&mut now.0, &mut now.1, stiffness)?;
    }
    moved(&now.0)
}

impl Program for Chain {
    fn new(device: &Device, size: Size) -> Result<Chain, Failure> {
        let s = springs(size);
        let x = (0..=s).map(|i| Vec2::new(i as f32, 0.0)).collect();
        let v = (0..=s).map(|i| Vec2::from_array(velocity(i, s))).collect();
        let start = (Field::from_vec(device, x)?, Field::from_vec(device, v)?);
        Ok(Chain {
            stiffness: Field::from_vec(device, (0..s).map(stiffness).collect())?,
            now: (start.0.try_clone()?, start.1.try_clone()?),
            start,
            steps: steps(size),
        })
    }

    fn loss(&mut self) -> swathe::Result<f32> {
        run(self)
    }

    fn gradient(&mut self) -> swathe::Result<(f64, Gradients)> {
        value_and_gradient([self.stiffness.source()], || run(self).map(drop))
    }

    fn numbers(&self, gradients: &Gradients) -> swathe::Result<Vec<Vec<f64>>> {
        Ok(vec![numbers(&gradients.get(&self.stiffness)?.to_vec()?)])
    }
}

type V = [f64; 2];

fn plus(a: V, b: V, scale: f64) -> V {
    [a[0] + scale * b[0], a[1] + scale * b[1]]
}

fn reference(size: Size) -> Vec<Vec<f64>> {
    let s = springs(size);
    let (dt, rest) = (f64::from(DT), f64::from(REST));
    let k: Vec<f64> = (0..s).map(|i| f64::from(stiffness(i))).collect();
    let start: Vec<V> = (0..=s).map(|i| [i as f64, 0.0]).collect();
    let mut v: Vec<V> = (0..=s).map(|i| velocity(i, s).map(f64::from)).collect();
    let mut states = vec![start.clone()];
    let way = |x: &[V], e: usize| {
        let d = plus(x[e + 1], x[e], -1.0);
        (d, d[0].hypot(d[1]))
    };
    for step in 0..steps(size) {
        let x = &states[step];
        let forces: Vec<V> = (0..s)
            .map(|e| {
                let (d, length) = way(x, e);
                d.map(|d| k[e] * (length - rest) / length * d)
            })
            .collect();
        for i in 1..s {
            v[i] = plus(v[i], plus(forces[i], forces[i - 1], -1.0), dt);
        }
        states.push((0..=s).map(|i| plus(x[i], v[i], dt)).collect());
    }
    let end = &states[steps(size)];
    let off: Vec<V> = (0..=s).map(|i| plus(end[i], start[i], -1.0)).collect();
    let loss = off.iter().map(|d| d[0] * d[0] + d[1] * d[1]).sum();
    let mut of_x: Vec<V> = off.iter().map(|d| d.map(|d| 2.0 * d)).collect();
    let (mut of_v, mut of_k) = (vec![[0.0; 2]; s + 1], vec![0.0; s]);
    for x in states[..steps(size)].iter().rev() {
        for i in 0..=s {
            of_v[i] = plus(of_v[i], of_x[i], dt);
        }
        let inner = |i: usize| if i == 0 || i == s { [0.0; 2] } else { of_v[i] };
        for e in 0..s {
            let force = plus(inner(e), inner(e + 1), -1.0).map(|f| dt * f);
            let (d, length) = way(x, e);
            let along = force[0] * d[0] + force[1] * d[1];
            of_k[e] += (1.0 - rest / length) * along;
            let back =
                [0, 1].map(|c| k[e] * (1.0 - rest / length) * force[c] + k[e] * rest * along / length.powi(3) * d[c]);
            of_x[e + 1] = plus(of_x[e + 1], back, 1.0);
            of_x[e] = plus(of_x[e], back, -1.0);
        }
    }
    vec![vec![loss], of_k]
}
