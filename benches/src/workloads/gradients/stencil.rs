//! Twenty steps of diffusion in the plane, with respect to the start and to the diffusivity.

use std::mem::swap;

use swathe::derivative::{Gradients, value_and_gradient};
use swathe::prelude::*;

use super::{Program, pair};
use crate::Failure;
use crate::bytes::numbers;
use crate::input::rnd;
use crate::size::Size;
use crate::workload::Workload;

pub const WORKLOADS: [Workload; 2] = pair::<Diffusion>(
    ["stencil_loss", "stencil_grad"],
    "",
    1e-4,
    [|size| vec![vec![reference(size).0]], gradient_reference],
);

const DIFFUSIVITY: f32 = 0.1;
const STEPS: usize = 20;

/// A step; outside of the plane is 0.
#[kernel(grad)]
fn diffuse(u: &Field<f32, 2>, d: &Field<f32, 0>, next: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in next.indices() {
        let c = u[[i, j]];
        let north = if i > 0 { u[[i - 1, j]] } else { 0.0 };
        let south = if i + 1 < h { u[[i + 1, j]] } else { 0.0 };
        let west = if j > 0 { u[[i, j - 1]] } else { 0.0 };
        let east = if j + 1 < w { u[[i, j + 1]] } else { 0.0 };
        next[[i, j]] = c + d[[]] * (north + south + west + east - 4.0 * c);
    }
}

#[kernel(grad)]
fn squares(u: &Field<f32, 2>) -> f32 {
    let mut sum = 0.0;
    for at in u.indices() {
        sum += u[at] * u[at];
    }
    sum
}

struct Diffusion {
    d: Field<f32, 0>,
    start: Field<f32, 2>,
    now: Field<f32, 2>,
    next: Field<f32, 2>,
}

fn side(size: Size) -> usize {
    size.of(32, 1024)
}

fn start(k: usize) -> f32 {
    (rnd(k) - 0.5) as f32
}

fn run(all: &mut Diffusion) -> swathe::Result<f32> {
    let Diffusion { d, start, now, next } = all;
    diffuse(start, d, now)?;
    for _ in 1..STEPS {
        diffuse(now, d, next)?;
        swap(now, next);
    }
    squares(now)
}

impl Program for Diffusion {
    fn new(device: &Device, size: Size) -> Result<Diffusion, Failure> {
        let n = side(size);
        Ok(Diffusion {
            d: Field::full(device, [], DIFFUSIVITY)?,
            start: Field::from_vec(device, (0..n * n).map(start).collect())?.into_shape([n, n])?,
            now: Field::zeros(device, [n, n])?,
            next: Field::zeros(device, [n, n])?,
        })
    }

    fn loss(&mut self) -> swathe::Result<f32> {
        run(self)
    }

    fn gradient(&mut self) -> swathe::Result<(f64, Gradients)> {
        value_and_gradient([self.start.source(), self.d.source()], || run(self).map(drop))
    }

    fn numbers(&self, gradients: &Gradients) -> swathe::Result<Vec<Vec<f64>>> {
        Ok(vec![
            numbers(&gradients.get(&self.start)?.to_vec()?),
            numbers(&gradients.get(&self.d)?.to_vec()?),
        ])
    }
}

/// n + s + w + e - 4 c: symmetric, so that it is its own adjoint.
fn laplacian(u: &[f64], n: usize) -> Vec<f64> {
    let at = |i: usize, j: usize| if i < n && j < n { u[i * n + j] } else { 0.0 };
    let cell = |k: usize| {
        let (i, j) = (k / n, k % n);
        let sides = at(i.wrapping_sub(1), j) + at(i + 1, j) + at(i, j.wrapping_sub(1)) + at(i, j + 1);
        sides - 4.0 * u[k]
    };
    (0..n * n).map(cell).collect()
}

/// The loss, and all states.
fn reference(size: Size) -> (f64, Vec<Vec<f64>>) {
    let n = side(size);
    let mut states = vec![(0..n * n).map(|k| f64::from(start(k))).collect::<Vec<f64>>()];
    for k in 0..STEPS {
        states.push(stepped(&states[k], n));
    }
    (states[STEPS].iter().map(|u| u * u).sum(), states)
}

fn stepped(u: &[f64], n: usize) -> Vec<f64> {
    let moved = laplacian(u, n);
    u.iter()
        .zip(moved)
        .map(|(u, l)| u + f64::from(DIFFUSIVITY) * l)
        .collect()
}

fn gradient_reference(size: Size) -> Vec<Vec<f64>> {
    let n = side(size);
    let (loss, states) = reference(size);
    let mut g: Vec<f64> = states[STEPS].iter().map(|u| 2.0 * u).collect();
    let mut of_d = 0.0;
    for u in states[..STEPS].iter().rev() {
        of_d += g.iter().zip(laplacian(u, n)).map(|(g, l)| g * l).sum::<f64>();
        g = stepped(&g, n);
    }
    vec![vec![loss], g, vec![of_d]]
}
