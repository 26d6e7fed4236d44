//! Ten substeps of a fluid by the material point method, with respect to the velocities at the start.

use swathe::derivative::{Gradients, value_and_gradient};
use swathe::prelude::*;

use super::{Program, pair};
use crate::Failure;
use crate::bytes::numbers;
use crate::input::rnd;
use crate::size::Size;
use crate::workload::Workload;

pub const WORKLOADS: [Workload; 2] = pair::<Fluid>(
    ["mpm_loss", "mpm_grad"],
    "",
    1e-3,
    [|size| vec![vec![forward(size).0]], reference],
);

const STEPS: usize = 10;
const DT: f32 = 1e-4;
const STIFFNESS: f32 = 400.0;
const GRAVITY: f32 = 9.8;
const BOUND: usize = 3;

#[func(grad)]
fn weights(fx: Vec2) -> [Vec2; 3] {
    let l = 1.5 - fx;
    let m = fx - 1.0;
    let r = fx - 0.5;
    [0.5 * l * l, 0.75 - m * m, 0.5 * r * r]
}

#[kernel(grad)]
fn to_grid(
    x: &Field<Vec2>,
    v: &Field<Vec2>,
    c: &Field<Mat2>,
    jac: &Field<f32>,
    grid_v: &mut Field<Vec2, 2>,
    grid_m: &mut Field<f32, 2>,
) {
    let [n, _] = grid_m.shape();
    let inv = n as f32;
    let dx = 1.0 / inv;
    let mass = (0.5 * dx) * (0.5 * dx);
    let stiffness = -4.0 * DT * STIFFNESS * mass * inv * inv;
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
}

#[kernel(grad)]
fn on_grid(grid_v: &mut Field<Vec2, 2>, grid_m: &Field<f32, 2>) {
    let [n, _] = grid_m.shape();
    for [i, j] in grid_v.indices() {
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
}

#[kernel(grad)]
fn to_particles(
    x: &mut Field<Vec2>,
    v: &mut Field<Vec2>,
    c: &mut Field<Mat2>,
    jac: &mut Field<f32>,
    grid_v: &Field<Vec2, 2>,
) {
    let [n, _] = grid_v.shape();
    let inv = n as f32;
    let dx = 1.0 / inv;
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

/// The mean of the heights, each with its weight.
#[kernel(grad)]
fn height(x: &Field<Vec2>, q: &Field<f32>) -> f32 {
    let mut sum = 0.0;
    for p in x.indices() {
        sum += q[p] * x[p].y;
    }
    sum / x.len() as f32
}

struct Fluid {
    start: (Field<Vec2>, Field<Vec2>),
    q: Field<f32>,
    x: Field<Vec2>,
    v: Field<Vec2>,
    c: Field<Mat2>,
    jac: Field<f32>,
    grid_v: Field<Vec2, 2>,
    grid_m: Field<f32, 2>,
}

fn particles(size: Size) -> usize {
    size.of(256, 16_384)
}

fn nodes(size: Size) -> usize {
    size.of(32, 128)
}

fn place(p: usize) -> [f32; 2] {
    [0, 1].map(|k| (0.25 + 0.375 * rnd(2 * p + k)) as f32)
}

fn velocity(p: usize, count: usize) -> [f32; 2] {
    [0, 1].map(|k| (0.5 * (rnd(2 * count + 2 * p + k) - 0.5) - k as f64) as f32)
}

fn weight(p: usize, count: usize) -> f32 {
    (2.0 * rnd(4 * count + p)) as f32
}

fn run(all: &mut Fluid) -> swathe::Result<f32> {
    let Fluid {
        x,
        v,
        c,
        jac,
        grid_v,
        grid_m,
        ..
    } = all;
    x.copy_from(&all.start.0)?;
    v.copy_from(&all.start.1)?;
    c.fill(Mat2::ZERO)?;
    jac.fill(1.0)?;
    for _ in 0..STEPS {
        grid_v.fill(Vec2::ZERO)?;
        grid_m.fill(0.0)?;
        to_grid(x, v, c, jac, grid_v, grid_m)?;
        on_grid(grid_v, grid_m)?;
        to_particles(x, v, c, jac, grid_v)?;
    }
    height(x, &all.q)
}

impl Program for Fluid {
    fn new(device: &Device, size: Size) -> Result<Fluid, Failure> {
        let (count, n) = (particles(size), nodes(size));
        let x = (0..count).map(|p| Vec2::from_array(place(p))).collect();
        let v = (0..count).map(|p| Vec2::from_array(velocity(p, count))).collect();
        Ok(Fluid {
            start: (Field::from_vec(device, x)?, Field::from_vec(device, v)?),
            q: Field::from_vec(device, (0..count).map(|p| weight(p, count)).collect())?,
            x: Field::zeros(device, count)?,
            v: Field::zeros(device, count)?,
            c: Field::zeros(device, count)?,
            jac: Field::zeros(device, count)?,
            grid_v: Field::zeros(device, [n, n])?,
            grid_m: Field::zeros(device, [n, n])?,
        })
    }

    fn loss(&mut self) -> swathe::Result<f32> {
        run(self)
    }

    fn gradient(&mut self) -> swathe::Result<(f64, Gradients)> {
        value_and_gradient([self.start.1.source()], || run(self).map(drop))
    }

    fn numbers(&self, gradients: &Gradients) -> swathe::Result<Vec<Vec<f64>>> {
        Ok(vec![numbers(&gradients.get(&self.start.1)?.to_vec()?)])
    }
}

type V = [f64; 2];
/// By rows.
type M = [V; 2];

fn times(m: M, v: V) -> V {
    [m[0][0] * v[0] + m[0][1] * v[1], m[1][0] * v[0] + m[1][1] * v[1]]
}

#[derive(Clone)]
struct Particle {
    x: V,
    v: V,
    c: M,
    j: f64,
}

/// The nodes around a particle: number, row and column in the stencil, offset from the particle.
fn stencil(base: [usize; 2], fx: V, n: usize) -> impl Iterator<Item = (usize, [usize; 2], V)> {
    (0..9).map(move |k| {
        let ij = [k / 3, k % 3];
        let d = [0, 1].map(|c| (ij[c] as f64 - fx[c]) / n as f64);
        ((base[0] + ij[0]) * n + base[1] + ij[1], ij, d)
    })
}

/// The lowest node, the offset from it, and the weights along both axes.
fn located(x: V, n: usize) -> ([usize; 2], V, [V; 3]) {
    let at = x.map(|x| x * n as f64);
    let base = at.map(|x| (x - 0.5) as usize);
    let fx = [0, 1].map(|k| at[k] - base[k] as f64);
    let weights = [
        fx.map(|f| 0.5 * (1.5 - f).powi(2)),
        fx.map(|f| 0.75 - (f - 1.0).powi(2)),
        fx.map(|f| 0.5 * (f - 0.5).powi(2)),
    ];
    (base, fx, weights)
}

/// Masses and momenta of all nodes, their velocities, and which components go on.
struct Grid {
    sums: Vec<[f64; 3]>,
    u: Vec<V>,
    keep: Vec<[bool; 2]>,
}

struct Constants {
    n: usize,
    mass: f64,
    dt: f64,
    stress: f64,
    inv2: f64,
}

fn constants(size: Size) -> Constants {
    let (n, dt) = (nodes(size), f64::from(DT));
    let inv2 = (n * n) as f64;
    let mass = 0.25 / inv2;
    Constants {
        n,
        mass,
        dt,
        stress: -4.0 * dt * f64::from(STIFFNESS) * mass * inv2,
        inv2,
    }
}

impl Constants {
    fn affine(&self, p: &Particle) -> M {
        let stress = self.stress * (p.j - 1.0);
        let m = |r: usize, c: usize| self.mass * p.c[r][c] + if r == c { stress } else { 0.0 };
        [[m(0, 0), m(0, 1)], [m(1, 0), m(1, 1)]]
    }

    fn grid(&self, all: &[Particle]) -> Grid {
        let n = self.n;
        let mut sums = vec![[0.0; 3]; n * n];
        for p in all {
            let (base, fx, w) = located(p.x, n);
            let affine = self.affine(p);
            for (node, [i, j], d) in stencil(base, fx, n) {
                let weight = w[i][0] * w[j][1];
                let turned = times(affine, d);
                for k in 0..2 {
                    sums[node][k] += weight * (self.mass * p.v[k] + turned[k]);
                }
                sums[node][2] += weight * self.mass;
            }
        }
        let (mut u, mut keep) = (vec![[0.0; 2]; n * n], vec![[true; 2]; n * n]);
        for (node, [vx, vy, m]) in sums.iter().enumerate().filter(|(_, s)| s[2] > 0.0) {
            u[node] = [vx / m, vy / m - self.dt * f64::from(GRAVITY)];
            for (k, i) in [node / n, node % n].into_iter().enumerate() {
                let out = (i < BOUND && u[node][k] < 0.0) || (i > n - BOUND && u[node][k] > 0.0);
                if out {
                    u[node][k] = 0.0;
                    keep[node][k] = false;
                }
            }
        }
        Grid { sums, u, keep }
    }

    fn moved(&self, p: &Particle, grid: &Grid) -> Particle {
        let (base, fx, w) = located(p.x, self.n);
        let (mut v, mut c) = ([0.0; 2], [[0.0; 2]; 2]);
        for (node, [i, j], d) in stencil(base, fx, self.n) {
            for k in 0..2 {
                let g = w[i][0] * w[j][1] * grid.u[node][k];
                v[k] += g;
                c[k] = [0, 1].map(|l| c[k][l] + 4.0 * self.inv2 * g * d[l]);
            }
        }
        Particle {
            x: [0, 1].map(|k| p.x[k] + self.dt * v[k]),
            v,
            c,
            j: p.j * (1.0 + self.dt * (c[0][0] + c[1][1])),
        }
    }

    /// The derivatives with respect to the particles before a substep, from those after it.
    fn back(&self, before: &[Particle], grid: &Grid, after: &mut [Particle]) {
        let (n, ka) = (self.n, 4.0 * self.inv2);
        let mut of_u = vec![[0.0; 2]; n * n];
        // Of each particle's weights, and of its offset from the lowest node.
        let mut of_x = Vec::new();
        for (p, g) in before.iter().zip(after.iter_mut()) {
            let (base, fx, w) = located(p.x, n);
            let mut c = g.c;
            c[0][0] += g.j * p.j * self.dt;
            c[1][1] += g.j * p.j * self.dt;
            // Of the Jacobian determinant: what it grows by.
            g.j *= self.moved(p, grid).j / p.j;
            let v = [0, 1].map(|k| g.v[k] + self.dt * g.x[k]);
            let (mut of_w, mut of_f) = ([[0.0; 2]; 3], [0.0; 2]);
            for (node, [i, j], d) in stencil(base, fx, n) {
                let weight = w[i][0] * w[j][1];
                let u = grid.u[node];
                let turned = times(c, d);
                let t = [0, 1].map(|k| v[k] + ka * turned[k]);
                for k in 0..2 {
                    of_u[node][k] += weight * t[k];
                    of_f[k] -= ka * weight * (c[0][k] * u[0] + c[1][k] * u[1]) / n as f64;
                }
                let of_weight = u[0] * t[0] + u[1] * t[1];
                of_w[i][0] += of_weight * w[j][1];
                of_w[j][1] += of_weight * w[i][0];
            }
            of_x.push((of_w, of_f));
        }
        let of_sums: Vec<[f64; 3]> = (0..n * n)
            .map(|node| {
                let [vx, vy, m] = grid.sums[node];
                let u = [0, 1].map(|k| if grid.keep[node][k] { of_u[node][k] } else { 0.0 });
                match m > 0.0 {
                    true => [u[0] / m, u[1] / m, -(u[0] * vx + u[1] * vy) / (m * m)],
                    false => [0.0; 3],
                }
            })
            .collect();
        for ((p, g), (mut of_w, mut of_f)) in before.iter().zip(after).zip(of_x) {
            let (base, fx, w) = located(p.x, n);
            let affine = self.affine(p);
            let (mut of_momentum, mut of_affine) = ([0.0; 2], [[0.0; 2]; 2]);
            for (node, [i, j], d) in stencil(base, fx, n) {
                let [gx, gy, gm] = of_sums[node];
                let weight = w[i][0] * w[j][1];
                let turned = times(affine, d);
                let momentum = [0, 1].map(|k| self.mass * p.v[k] + turned[k]);
                let of_weight = gx * momentum[0] + gy * momentum[1] + gm * self.mass;
                let q = [weight * gx, weight * gy];
                for k in 0..2 {
                    of_momentum[k] += q[k];
                    of_affine[k] = [0, 1].map(|l| of_affine[k][l] + q[k] * d[l]);
                    of_f[k] -= (affine[0][k] * q[0] + affine[1][k] * q[1]) / n as f64;
                }
                of_w[i][0] += of_weight * w[j][1];
                of_w[j][1] += of_weight * w[i][0];
            }
            for k in 0..2 {
                of_f[k] += of_w[0][k] * (fx[k] - 1.5) - 2.0 * of_w[1][k] * (fx[k] - 1.0) + of_w[2][k] * (fx[k] - 0.5);
                g.x[k] += n as f64 * of_f[k];
            }
            g.v = of_momentum.map(|m| self.mass * m);
            g.c = of_affine.map(|row| row.map(|a| self.mass * a));
            g.j += self.stress * (of_affine[0][0] + of_affine[1][1]);
        }
    }
}

/// The loss, and the particles before each substep with their grid.
fn forward(size: Size) -> (f64, Vec<(Vec<Particle>, Grid)>) {
    let count = particles(size);
    let constants = constants(size);
    let mut all: Vec<Particle> = (0..count)
        .map(|p| Particle {
            x: place(p).map(f64::from),
            v: velocity(p, count).map(f64::from),
            c: [[0.0; 2]; 2],
            j: 1.0,
        })
        .collect();
    let mut states = Vec::new();
    for _ in 0..STEPS {
        let grid = constants.grid(&all);
        let next = all.iter().map(|p| constants.moved(p, &grid)).collect();
        states.push((std::mem::replace(&mut all, next), grid));
    }
    let heights = all
        .iter()
        .enumerate()
        .map(|(p, at)| f64::from(weight(p, count)) * at.x[1]);
    (heights.sum::<f64>() / count as f64, states)
}

fn reference(size: Size) -> Vec<Vec<f64>> {
    let count = particles(size);
    let constants = constants(size);
    let (loss, states) = forward(size);
    let mut back: Vec<Particle> = (0..count)
        .map(|p| Particle {
            x: [0.0, f64::from(weight(p, count)) / count as f64],
            v: [0.0; 2],
            c: [[0.0; 2]; 2],
            j: 0.0,
        })
        .collect();
    for (particles, grid) in states.iter().rev() {
        constants.back(particles, grid, &mut back);
    }
    vec![vec![loss], back.iter().flat_map(|g| g.v).collect()]
}
