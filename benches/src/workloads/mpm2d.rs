//! A fluid by the moving least squares material point method, twenty substeps.

use swathe::prelude::*;
use swathe::{Aos, FieldLayout, Soa};

use crate::Failure;
use crate::bytes::numbers;
use crate::check::Tolerance;
use crate::input::{checked, rnd};
use crate::size::Size;
use crate::workload::{Case, Workload};

pub const WORKLOAD: Workload = Workload {
    name: "mpm2d",
    metric: "particle-substeps",
    unit: "Mpart/s",
    note: "",
    tolerance: Tolerance::Relative(1e-3),
    work: |size| (particles(size) * STEPS) as f64 / 1e6,
    reference,
    make: |device, size| Ok(Box::new(fluid::<Aos>(device, size, STEPS)?)),
};

pub const PLANES: Workload = Workload {
    name: "mpm2d_soa",
    note: "vectors and matrices as structures of arrays",
    make: |device, size| Ok(Box::new(fluid::<Soa>(device, size, STEPS)?)),
    ..WORKLOAD
};

const STEPS: usize = 20;
const DT: f32 = 1e-4;
const STIFFNESS: f32 = 400.0;
const GRAVITY: f32 = 9.8;
const BOUND: usize = 3;

fn particles(size: Size) -> usize {
    size.of(1024, 65_536)
}

fn nodes(size: Size) -> usize {
    size.of(32, 256)
}

#[func]
fn weights(fx: Vec2) -> [Vec2; 3] {
    let l = 1.5 - fx;
    let m = fx - 1.0;
    let r = fx - 0.5;
    [0.5 * l * l, 0.75 - m * m, 0.5 * r * r]
}

/// One substep: particles to grid, grid, grid to particles.
#[kernel]
pub fn substep(
    x: &mut Field<Vec2>,
    v: &mut Field<Vec2>,
    c: &mut Field<Mat2>,
    jac: &mut Field<f32>,
    grid_v: &mut Field<Vec2, 2>,
    grid_m: &mut Field<f32, 2>,
) {
    let [n, _] = grid_m.shape();
    let inv = n as f32;
    let dx = 1.0 / inv;
    let mass = (0.5 * dx) * (0.5 * dx);
    let stiffness = -4.0 * DT * STIFFNESS * mass * inv * inv;

    for node in grid_m.indices() {
        grid_v[node] = Vec2::ZERO;
        grid_m[node] = 0.0;
    }
    for p in x.indices() {
        let xp = x[p] * inv;
        let base = (xp - 0.5).as_usize();
        let fx = xp - Vec2::from_usize(base);
        let w = weights(fx);
        let affine = stiffness * (jac[p] - 1.0) * Mat2::IDENTITY + mass * c[p];
        for i in 0..3 {
            for j in 0..3 {
                let d = (Vec2::new(i as f32, j as f32) - fx) * dx;
                let weight = w[i].x * w[j].y;
                grid_v[[base[0] + i, base[1] + j]].atomic_add(weight * (mass * v[p] + affine * d));
                grid_m[[base[0] + i, base[1] + j]].atomic_add(weight * mass);
            }
        }
    }
    for [i, j] in grid_m.indices() {
        if grid_m[[i, j]] > 0.0 {
            let mut u = grid_v[[i, j]] / grid_m[[i, j]];
            u.y -= DT * GRAVITY;
            if (i < BOUND && u.x < 0.0) || (i > n - BOUND && u.x > 0.0) {
                u.x = 0.0;
            }
            if (j < BOUND && u.y < 0.0) || (j > n - BOUND && u.y > 0.0) {
                u.y = 0.0;
            }
            grid_v[[i, j]] = u;
        }
    }
    for p in x.indices() {
        let xp = x[p] * inv;
        let base = (xp - 0.5).as_usize();
        let fx = xp - Vec2::from_usize(base);
        let w = weights(fx);
        let mut velocity = Vec2::ZERO;
        let mut gradient = Mat2::ZERO;
        for i in 0..3 {
            for j in 0..3 {
                let d = (Vec2::new(i as f32, j as f32) - fx) * dx;
                let g = w[i].x * w[j].y * grid_v[[base[0] + i, base[1] + j]];
                velocity += g;
                gradient += 4.0 * inv * inv * g.outer_product(d);
            }
        }
        v[p] = velocity;
        x[p] += DT * velocity;
        jac[p] *= 1.0 + DT * gradient.trace();
        c[p] = gradient;
    }
}

/// The particles and their grid.
pub struct Fluid<L: FieldLayout> {
    start: Vec<Vec2>,
    steps: usize,
    x: Field<Vec2, 1, L>,
    v: Field<Vec2, 1, L>,
    c: Field<Mat2, 1, L>,
    jac: Field<f32>,
    grid_v: Field<Vec2, 2, L>,
    grid_m: Field<f32, 2>,
}

impl<L: FieldLayout> Case for Fluid<L> {
    fn reset(&mut self) -> swathe::Result<()> {
        self.x.copy_from_slice(&self.start)?;
        self.v.fill(Vec2::new(0.0, -1.0))?;
        self.c.fill(Mat2::ZERO)?;
        self.jac.fill(1.0)
    }

    fn run(&mut self) -> swathe::Result<()> {
        for _ in 0..self.steps {
            let Fluid { x, v, c, jac, .. } = self;
            substep(x, v, c, jac, &mut self.grid_v, &mut self.grid_m)?;
        }
        Ok(())
    }

    fn output(&self) -> swathe::Result<Vec<Vec<f64>>> {
        Ok(vec![
            numbers(&self.x.to_vec()?),
            numbers(&self.v.to_vec()?),
            numbers(&self.jac.to_vec()?),
        ])
    }

    fn reset_each(&self) -> bool {
        true
    }
}

/// One substep of the small fluid.
///
/// # Errors
/// Of the device.
pub fn one_step(device: &Device) -> Result<Fluid<Aos>, Failure> {
    fluid(device, Size::Small, 1)
}

fn fluid<L: FieldLayout>(device: &Device, size: Size, steps: usize) -> Result<Fluid<L>, Failure> {
    let (count, n) = (particles(size), nodes(size));
    let start = (0..count).map(|p| Vec2::from_array(place(p))).collect();
    let v = checked("mpm2d", "v", size, vec![Vec2::new(0.0, -1.0); count])?;
    Ok(Fluid {
        start: checked("mpm2d", "x", size, start)?,
        steps,
        x: Field::zeros_in(device, count, L::default())?,
        v: Field::from_slice(device, &v)?.with_layout(L::default())?,
        c: Field::zeros_in(device, count, L::default())?,
        jac: Field::zeros(device, count)?,
        grid_v: Field::zeros_in(device, [n, n], L::default())?,
        grid_m: Field::zeros(device, [n, n])?,
    })
}

fn place(p: usize) -> [f32; 2] {
    [0, 1].map(|k| (0.25 + 0.375 * rnd(2 * p + k)) as f32)
}

/// A particle of the reference.
struct Particle {
    x: [f64; 2],
    v: [f64; 2],
    /// Gradient of the velocity, by rows.
    c: [[f64; 2]; 2],
    j: f64,
}

/// The nodes around a position: number, offset from the particle, weight.
fn stencil(x: [f64; 2], n: usize) -> impl Iterator<Item = (usize, [f64; 2], f64)> {
    let at = x.map(|x| x * n as f64);
    let base = at.map(|x| (x - 0.5) as usize);
    let fx = [0, 1].map(|k| at[k] - base[k] as f64);
    let weight = move |k: usize, i: usize| match i {
        0 => 0.5 * (1.5 - fx[k]).powi(2),
        1 => 0.75 - (fx[k] - 1.0).powi(2),
        _ => 0.5 * (fx[k] - 0.5).powi(2),
    };
    (0..9).map(move |node| {
        let ij = [node / 3, node % 3];
        let d = [0, 1].map(|k| (ij[k] as f64 - fx[k]) / n as f64);
        (
            (base[0] + ij[0]) * n + base[1] + ij[1],
            d,
            weight(0, ij[0]) * weight(1, ij[1]),
        )
    })
}

fn reference(size: Size) -> Vec<Vec<f64>> {
    let n = nodes(size);
    let mut all: Vec<Particle> = (0..particles(size))
        .map(|p| Particle {
            x: place(p).map(f64::from),
            v: [0.0, -1.0],
            c: [[0.0; 2]; 2],
            j: 1.0,
        })
        .collect();
    for _ in 0..STEPS {
        reference_step(&mut all, n);
    }
    vec![
        all.iter().flat_map(|p| p.x).collect(),
        all.iter().flat_map(|p| p.v).collect(),
        all.iter().map(|p| p.j).collect(),
    ]
}

fn reference_step(all: &mut [Particle], n: usize) {
    let dt = f64::from(DT);
    let inv2 = (n * n) as f64;
    let mass = 0.25 / inv2;
    let mut grid = vec![[0.0; 3]; n * n];
    for p in all.iter() {
        let stress = -4.0 * dt * f64::from(STIFFNESS) * mass * inv2 * (p.j - 1.0);
        for (node, d, weight) in stencil(p.x, n) {
            for k in 0..2 {
                let affine = mass * (p.c[k][0] * d[0] + p.c[k][1] * d[1]) + stress * d[k];
                grid[node][k] += weight * (mass * p.v[k] + affine);
            }
            grid[node][2] += weight * mass;
        }
    }
    for (node, [vx, vy, m]) in grid.iter_mut().enumerate().filter(|(_, g)| g[2] > 0.0) {
        *vx /= *m;
        *vy = *vy / *m - dt * f64::from(GRAVITY);
        for (v, i) in [(vx, node / n), (vy, node % n)] {
            if (i < BOUND && *v < 0.0) || (i > n - BOUND && *v > 0.0) {
                *v = 0.0;
            }
        }
    }
    for p in all {
        (p.v, p.c) = ([0.0; 2], [[0.0; 2]; 2]);
        for (node, d, weight) in stencil(p.x, n) {
            let g = [weight * grid[node][0], weight * grid[node][1]];
            for ((v, row), g) in p.v.iter_mut().zip(&mut p.c).zip(g) {
                *v += g;
                row[0] += 4.0 * inv2 * g * d[0];
                row[1] += 4.0 * inv2 * g * d[1];
            }
        }
        p.x = [0, 1].map(|k| p.x[k] + dt * p.v[k]);
        p.j *= 1.0 + dt * (p.c[0][0] + p.c[1][1]);
    }
}
