//! The squares of all accelerations under gravity, with respect to positions and masses.

use swathe::derivative::{Gradients, value_and_gradient};
use swathe::prelude::*;

use super::{Program, pair};
use crate::Failure;
use crate::bytes::numbers;
use crate::input::rnd;
use crate::size::Size;
use crate::workload::Workload;

pub const WORKLOADS: [Workload; 2] = pair::<Bodies>(
    ["nbody_loss", "nbody_grad"],
    "",
    1e-4,
    [|size| reference(size)[..1].to_vec(), reference],
);

const EPS2: f32 = 1e-4;

#[kernel(grad)]
fn gravity(pos: &Field<Vec3>, mass: &Field<f32>, acc: &mut Field<Vec3>) {
    for i in acc.indices() {
        let mut a = Vec3::ZERO;
        for j in 0..pos.len() {
            let d = pos[j] - pos[i];
            let r2 = d.dot(d) + EPS2;
            a += d * (mass[j] / (r2 * r2.sqrt()));
        }
        acc[i] = a;
    }
}

#[kernel(grad)]
fn squares(acc: &Field<Vec3>) -> f32 {
    let mut sum = 0.0;
    for i in acc.indices() {
        sum += acc[i].dot(acc[i]);
    }
    sum
}

struct Bodies {
    pos: Field<Vec3>,
    mass: Field<f32>,
    acc: Field<Vec3>,
}

fn bodies(size: Size) -> usize {
    size.of(64, 2048)
}

fn position(i: usize) -> [f32; 3] {
    [0, 1, 2].map(|k| (rnd(4 * i + k) - 0.5) as f32)
}

fn mass(i: usize) -> f32 {
    (rnd(4 * i + 3) + 0.5) as f32
}

fn run(all: &mut Bodies) -> swathe::Result<f32> {
    gravity(&all.pos, &all.mass, &mut all.acc)?;
    squares(&all.acc)
}

impl Program for Bodies {
    fn new(device: &Device, size: Size) -> Result<Bodies, Failure> {
        let n = bodies(size);
        let pos = (0..n).map(|i| Vec3::from_array(position(i))).collect();
        Ok(Bodies {
            pos: Field::from_vec(device, pos)?,
            mass: Field::from_vec(device, (0..n).map(mass).collect())?,
            acc: Field::zeros(device, n)?,
        })
    }

    fn loss(&mut self) -> swathe::Result<f32> {
        run(self)
    }

    fn gradient(&mut self) -> swathe::Result<(f64, Gradients)> {
        value_and_gradient([self.pos.source(), self.mass.source()], || run(self).map(drop))
    }

    fn numbers(&self, gradients: &Gradients) -> swathe::Result<Vec<Vec<f64>>> {
        Ok(vec![
            numbers(&gradients.get(&self.pos)?.to_vec()?),
            numbers(&gradients.get(&self.mass)?.to_vec()?),
        ])
    }
}

type V = [f64; 3];

fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn reference(size: Size) -> Vec<Vec<f64>> {
    let n = bodies(size);
    let all: Vec<(V, f64)> = (0..n)
        .map(|i| (position(i).map(f64::from), f64::from(mass(i))))
        .collect();
    // Of body `i` by body `j`: the way, its squared length, and that to the power -3/2.
    let pair = |i: usize, j: usize| {
        let d = [0, 1, 2].map(|k| all[j].0[k] - all[i].0[k]);
        let r2 = dot(d, d) + f64::from(EPS2);
        (d, r2, r2.powf(-1.5))
    };
    let (mut loss, mut of_pos, mut of_mass) = (0.0, vec![[0.0; 3]; n], vec![0.0; n]);
    for i in 0..n {
        let mut acc = [0.0; 3];
        for (j, (_, mass)) in all.iter().enumerate() {
            let (d, _, k) = pair(i, j);
            acc = [0, 1, 2].map(|c| acc[c] + mass * k * d[c]);
        }
        loss += dot(acc, acc);
        let back = acc.map(|a| 2.0 * a);
        for (j, (_, mass)) in all.iter().enumerate() {
            let (d, r2, k) = pair(i, j);
            let along = dot(d, back);
            of_mass[j] += k * along;
            for c in 0..3 {
                let g = mass * k * back[c] - 3.0 * mass * k / r2 * along * d[c];
                of_pos[j][c] += g;
                of_pos[i][c] -= g;
            }
        }
    }
    vec![vec![loss], of_pos.into_iter().flatten().collect(), of_mass]
}
