//! A fluid of particles that press on their neighbours, which a grid finds: M. Müller, D. Charypar, M. Gross,
//! "Particle-based fluid simulation for interactive applications" (2003), in two dimensions.

use std::f32::consts::PI;

use swathe::prelude::*;

use crate::Failure;
use crate::bytes::numbers;
use crate::check::Tolerance;
use crate::input::rnd;
use crate::size::Size;
use crate::workload::{Case, Workload};

pub const WORKLOAD: Workload = Workload {
    name: "sph",
    metric: "particle-steps",
    unit: "Mpart/s",
    note: "table of particles for each cell, made anew in each step",
    tolerance: Tolerance::Relative(1e-3),
    work: |size| (side(size) * side(size) * STEPS) as f64 / 1e6,
    reference,
    make,
};

const STEPS: usize = 10;
const DT: f32 = 1e-4;
const STIFFNESS: f32 = 10.0;
const VISCOSITY: f32 = 0.01;
const GRAVITY: f32 = 9.8;
/// Particles that a cell holds at most. Its width is that of two particles.
const CAPACITY: usize = 16;

fn side(size: Size) -> usize {
    size.of(32, 256)
}

/// Distance of particles, and the cells along an axis: as wide as the kernel's radius, two particles.
fn spacing(size: Size) -> f32 {
    (0.8 / side(size) as f64) as f32
}

fn cells(size: Size) -> usize {
    (0.5 / f64::from(spacing(size))) as usize
}

#[func]
fn cell(pos: Vec2, n: usize) -> [usize; 2] {
    let c = (pos * n as f32).as_usize();
    [c[0].min(n - 1), c[1].min(n - 1)]
}

/// Puts particles into the table of their cells.
#[kernel]
pub fn sort(pos: &Field<Vec2>, counts: &mut Field<u32, 2>, cells: &mut Field<u32, 3>) {
    let [n, _] = counts.shape();
    for c in counts.indices() {
        counts[c] = 0;
    }
    for p in pos.indices() {
        let c = cell(pos[p], n);
        let slot = counts[c].atomic_add(1);
        cells[[c[0], c[1], slot as usize]].atomic_store(p as u32);
    }
}

/// Densities by the particles of the cells around.
#[kernel]
pub fn densities(
    pos: &Field<Vec2>,
    counts: &Field<u32, 2>,
    cells: &Field<u32, 3>,
    density: &mut Field<f32>,
    spacing: f32,
) {
    let [n, _] = counts.shape();
    let h = 2.0 * spacing;
    let scale = spacing * spacing * 4.0 / (PI * h.powi(8));
    for p in pos.indices() {
        let c = cell(pos[p], n);
        let mut sum = 0.0;
        for a in c[0].max(1) - 1..(c[0] + 2).min(n) {
            for b in c[1].max(1) - 1..(c[1] + 2).min(n) {
                for k in 0..counts[[a, b]] as usize {
                    let q = cells[[a, b, k]] as usize;
                    let near = (h * h - pos[p].distance_squared(pos[q])).max(0.0);
                    sum += near * near * near;
                }
            }
        }
        density[p] = scale * sum;
    }
}

/// Accelerations by pressure, viscosity and gravity.
#[kernel]
pub fn forces(
    pos: &Field<Vec2>,
    vel: &Field<Vec2>,
    density: &Field<f32>,
    counts: &Field<u32, 2>,
    cells: &Field<u32, 3>,
    acc: &mut Field<Vec2>,
    spacing: f32,
) {
    let [n, _] = counts.shape();
    let h = 2.0 * spacing;
    let mass = spacing * spacing;
    let h5 = PI * h.powi(5);
    for p in pos.indices() {
        let c = cell(pos[p], n);
        let mut sum = Vec2::ZERO;
        for a in c[0].max(1) - 1..(c[0] + 2).min(n) {
            for b in c[1].max(1) - 1..(c[1] + 2).min(n) {
                for k in 0..counts[[a, b]] as usize {
                    let q = cells[[a, b, k]] as usize;
                    let d = pos[p] - pos[q];
                    let r = d.norm();
                    if q != p && r < h {
                        let pressure = 0.5 * STIFFNESS * (density[p] + density[q] - 2.0);
                        let push = d * (30.0 / h5 * (h - r) * (h - r) * pressure / r.max(1e-9));
                        let drag = (vel[q] - vel[p]) * (VISCOSITY * 40.0 / h5 * (h - r));
                        sum += (push + drag) * (mass / (density[p] * density[q]));
                    }
                }
            }
        }
        acc[p] = sum - Vec2::new(0.0, GRAVITY);
    }
}

/// One step in time.
#[kernel]
pub fn advance(pos: &mut Field<Vec2>, vel: &mut Field<Vec2>, acc: &Field<Vec2>) {
    for p in pos.indices() {
        vel[p] += DT * acc[p];
        pos[p] = (pos[p] + DT * vel[p]).clamp(Vec2::ZERO, Vec2::splat(1.0));
    }
}

struct Fluid {
    start: Vec<Vec2>,
    spacing: f32,
    pos: Field<Vec2>,
    vel: Field<Vec2>,
    acc: Field<Vec2>,
    density: Field<f32>,
    counts: Field<u32, 2>,
    cells: Field<u32, 3>,
}

impl Case for Fluid {
    fn reset(&mut self) -> swathe::Result<()> {
        self.pos.copy_from_slice(&self.start)?;
        self.vel.fill(Vec2::ZERO)
    }

    fn run(&mut self) -> swathe::Result<()> {
        for _ in 0..STEPS {
            sort(&self.pos, &mut self.counts, &mut self.cells)?;
            densities(&self.pos, &self.counts, &self.cells, &mut self.density, self.spacing)?;
            let Fluid {
                pos,
                vel,
                density,
                counts,
                cells,
                acc,
                ..
            } = self;
            forces(pos, vel, density, counts, cells, acc, self.spacing)?;
            advance(pos, vel, acc)?;
        }
        Ok(())
    }

    fn output(&self) -> swathe::Result<Vec<Vec<f64>>> {
        Ok(vec![
            numbers(&self.pos.to_vec()?),
            numbers(&self.vel.to_vec()?),
            numbers(&self.density.to_vec()?),
        ])
    }

    fn reset_each(&self) -> bool {
        true
    }
}

/// A lattice that is a little out of order.
fn place(p: usize, size: Size) -> [f32; 2] {
    let n = side(size);
    let along = |i: usize, k: usize| 0.1 + f64::from(spacing(size)) * (i as f64 + 0.4 * rnd(2 * p + k));
    [along(p / n, 0) as f32, along(p % n, 1) as f32]
}

fn make(device: &Device, size: Size) -> Result<Box<dyn Case>, Failure> {
    let (n, m) = (side(size) * side(size), cells(size));
    let start: Vec<Vec2> = (0..n).map(|p| Vec2::from_array(place(p, size))).collect();
    Ok(Box::new(Fluid {
        pos: Field::from_slice(device, &start)?,
        start,
        spacing: spacing(size),
        vel: Field::zeros(device, n)?,
        acc: Field::zeros(device, n)?,
        density: Field::zeros(device, n)?,
        counts: Field::zeros(device, [m, m])?,
        cells: Field::zeros(device, [m, m, CAPACITY])?,
    }))
}

fn reference(size: Size) -> Vec<Vec<f64>> {
    let (n, m) = (side(size) * side(size), cells(size));
    let (dt, pi) = (f64::from(DT), std::f64::consts::PI);
    let mass = f64::from(spacing(size)).powi(2);
    let h = 2.0 * f64::from(spacing(size));
    let mut pos: Vec<[f64; 2]> = (0..n).map(|p| place(p, size).map(f64::from)).collect();
    let mut vel = vec![[0.0; 2]; n];
    let mut density = Vec::new();
    for _ in 0..STEPS {
        let pairs = neighbours(&pos, m, h);
        let kernel = |r: f64| 4.0 / (pi * h.powi(8)) * (h * h - r * r).powi(3);
        density = pairs
            .iter()
            .map(|near| near.iter().map(|(_, r)| mass * kernel(*r)).sum())
            .collect::<Vec<f64>>();
        let before = (pos.clone(), vel.clone());
        for p in 0..n {
            let mut acc = [0.0, -f64::from(GRAVITY)];
            for &(q, r) in pairs[p].iter().filter(|(q, _)| *q != p) {
                let pressure = 0.5 * f64::from(STIFFNESS) * (density[p] + density[q] - 2.0);
                for (k, acc) in acc.iter_mut().enumerate() {
                    let push =
                        30.0 / (pi * h.powi(5)) * (h - r).powi(2) * pressure * (before.0[p][k] - before.0[q][k]) / r;
                    let drag =
                        f64::from(VISCOSITY) * 40.0 / (pi * h.powi(5)) * (h - r) * (before.1[q][k] - before.1[p][k]);
                    *acc += mass * (push + drag) / (density[p] * density[q]);
                }
            }
            for k in 0..2 {
                vel[p][k] += dt * acc[k];
                pos[p][k] = (pos[p][k] + dt * vel[p][k]).clamp(0.0, 1.0);
            }
        }
    }
    vec![pos.into_flattened(), vel.into_flattened(), density]
}

/// The particles nearer than `h` to each, itself included, with their distances.
fn neighbours(pos: &[[f64; 2]], m: usize, h: f64) -> Vec<Vec<(usize, f64)>> {
    let cell = |x: f64| ((x * m as f64) as usize).min(m - 1);
    let mut table = vec![Vec::new(); m * m];
    for (p, [x, y]) in pos.iter().enumerate() {
        table[cell(*x) * m + cell(*y)].push(p);
    }
    let near = |[x, y]: [f64; 2]| {
        let span = |c: usize| c.saturating_sub(1)..(c + 2).min(m);
        let around = span(cell(x)).flat_map(move |a| span(cell(y)).map(move |b| a * m + b));
        let all = around
            .flat_map(|c| &table[c])
            .map(|q| (*q, (pos[*q][0] - x).hypot(pos[*q][1] - y)));
        all.filter(|(_, r)| *r < h).collect()
    };
    pos.iter().map(|at| near(*at)).collect()
}
