//! Decaying vortices on a torus by the lattice Boltzmann method: nine directions, collisions after Bhatnagar, Gross and
//! Krook, streaming by pulling.

use std::f64::consts::TAU;

use swathe::prelude::*;

use crate::Failure;
use crate::bytes::numbers;
use crate::check::Tolerance;
use crate::size::Size;
use crate::workload::{Case, Workload};

pub const WORKLOAD: Workload = Workload {
    name: "lattice_boltzmann",
    metric: "node updates",
    unit: "Mnode/s",
    note: "D2Q9",
    tolerance: Tolerance::Relative(2e-6),
    work: |size| (side(size) * side(size) * STEPS) as f64 / 1e6,
    reference,
    make,
};

const STEPS: usize = 10;
/// Inverse of the time in which collisions lead back to equilibrium.
const OMEGA: f32 = 1.6;
/// Share of each direction in a fluid at rest. Direction `3 a + b` leads `a - 1` rows down and `b - 1` columns right.
const WEIGHTS: [f32; 9] = [
    1.0 / 36.0,
    1.0 / 9.0,
    1.0 / 36.0,
    1.0 / 9.0,
    4.0 / 9.0,
    1.0 / 9.0,
    1.0 / 36.0,
    1.0 / 9.0,
    1.0 / 36.0,
];

fn side(size: Size) -> usize {
    size.side(48, 1024)
}

/// One step from `old` to `new`, both of shape (9, rows, columns).
#[kernel]
pub fn step(old: &Field<f32, 3>, new: &mut Field<f32, 3>) {
    let [_, h, w] = old.shape();
    for [i, j] in swathe::ndrange([h, w]) {
        let mut f = [0.0; 9];
        let mut density = 0.0;
        let mut momentum = Vec2::ZERO;
        for q in 0..9 {
            f[q] = old[[q, (i + h + 1 - q / 3) % h, (j + w + 1 - q % 3) % w]];
            density += f[q];
            momentum += f[q] * direction(q);
        }
        let u = momentum / density;
        for q in 0..9 {
            let along = 3.0 * direction(q).dot(u);
            let rest = 1.0 + along + 0.5 * along * along - 1.5 * u.dot(u);
            new[[q, i, j]] = f[q] + OMEGA * (WEIGHTS[q] * density * rest - f[q]);
        }
    }
}

#[func]
fn direction(q: usize) -> Vec2 {
    Vec2::new((q / 3) as f32 - 1.0, (q % 3) as f32 - 1.0)
}

struct Lattice {
    start: Vec<f32>,
    old: Field<f32, 3>,
    new: Field<f32, 3>,
}

impl Case for Lattice {
    fn reset(&mut self) -> swathe::Result<()> {
        self.old.copy_from_slice(&self.start)
    }

    fn run(&mut self) -> swathe::Result<()> {
        for _ in 0..STEPS {
            step(&self.old, &mut self.new)?;
            std::mem::swap(&mut self.old, &mut self.new);
        }
        Ok(())
    }

    fn output(&self) -> swathe::Result<Vec<Vec<f64>>> {
        Ok(vec![numbers(&self.old.to_vec()?)])
    }
}

fn make(device: &Device, size: Size) -> Result<Box<dyn Case>, Failure> {
    let n = side(size);
    Ok(Box::new(Lattice {
        start: start(n),
        old: Field::zeros(device, [9, n, n])?,
        new: Field::zeros(device, [9, n, n])?,
    }))
}

/// The equilibrium of a fluid at a density and a velocity.
fn equilibrium(q: usize, density: f64, u: [f64; 2]) -> f64 {
    let along = (q / 3) as f64 * u[0] - u[0] + (q % 3) as f64 * u[1] - u[1];
    let rest = 1.0 + 3.0 * along + 4.5 * along * along - 1.5 * (u[0] * u[0] + u[1] * u[1]);
    f64::from(WEIGHTS[q]) * density * rest
}

/// Taylor's and Green's vortices.
fn start(n: usize) -> Vec<f32> {
    let velocity = |node: usize| {
        let [y, x] = [node / n, node % n].map(|k| TAU * k as f64 / n as f64);
        [-0.05 * x.cos() * y.sin(), 0.08 * x.sin() * y.cos()]
    };
    let value = |k: usize| equilibrium(k / (n * n), 1.0, velocity(k % (n * n))) as f32;
    (0..9 * n * n).map(value).collect()
}

fn reference(size: Size) -> Vec<Vec<f64>> {
    let n = side(size);
    let mut old: Vec<f64> = start(n).into_iter().map(f64::from).collect();
    let mut new = old.clone();
    for _ in 0..STEPS {
        for node in 0..n * n {
            let f: [f64; 9] = std::array::from_fn(|q| {
                let (i, j) = ((node / n + n + 1 - q / 3) % n, (node % n + n + 1 - q % 3) % n);
                old[(q * n + i) * n + j]
            });
            let density: f64 = f.iter().sum();
            let momentum = |part: fn(usize) -> usize| -> f64 { (0..9).map(|q| f[q] * (part(q) as f64 - 1.0)).sum() };
            let u = [momentum(|q| q / 3) / density, momentum(|q| q % 3) / density];
            for q in 0..9 {
                new[q * n * n + node] = f[q] + f64::from(OMEGA) * (equilibrium(q, density, u) - f[q]);
            }
        }
        std::mem::swap(&mut old, &mut new);
    }
    vec![old]
}
