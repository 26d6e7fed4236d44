//! A step of the material point method in f64, written with arrays.

use super::physics::{
    DENSITY, FLUID, FLUID_BULK, HARDENING, HARDEST, JELLY_LAMBDA, JELLY_MU, Particle, SNOW, SNOW_HIGH, SNOW_LAMBDA,
    SNOW_LOW, SNOW_MU, Step,
};

type M = [[f64; 2]; 2];

#[derive(Debug)]
pub struct Point {
    pub pos: [f64; 2],
    pub vel: [f64; 2],
    pub c: M,
    pub f: M,
    pub j: f64,
}

fn wide(m: swathe::Mat2) -> M {
    m.to_array().map(|row| row.map(f64::from))
}

fn product(a: M, b: M) -> M {
    [0, 1].map(|r| [0, 1].map(|c| a[r][0] * b[0][c] + a[r][1] * b[1][c]))
}

fn transposed(m: M) -> M {
    [[m[0][0], m[1][0]], [m[0][1], m[1][1]]]
}

fn det(m: M) -> f64 {
    m[0][0] * m[1][1] - m[0][1] * m[1][0]
}

/// Newton's iteration for the rotation nearest to a matrix: the mean of it and its inverse transposed.
fn nearest_rotation(m: M) -> M {
    let mut r = m;
    for _ in 0..50 {
        let d = det(r);
        let inverse_transposed = [[r[1][1] / d, -r[1][0] / d], [-r[0][1] / d, r[0][0] / d]];
        r = [0, 1].map(|a| [0, 1].map(|b| 0.5 * (r[a][b] + inverse_transposed[a][b])));
    }
    r
}

/// Brings the stretches into their range: `m` is r * s, and s has them as eigenvalues.
fn clamped(m: M) -> (M, f64) {
    let r = nearest_rotation(m);
    let s = product(transposed(r), m);
    let (mean, gap) = (0.5 * (s[0][0] + s[1][1]), (s[0][0] - s[1][1]).hypot(2.0 * s[0][1]));
    let (high, low) = (mean + 0.5 * gap, mean - 0.5 * gap);
    let [new_high, new_low] = [high, low].map(|x| x.clamp(f64::from(SNOW_LOW), f64::from(SNOW_HIGH)));
    // Sylvester's formula for a function of a symmetric matrix.
    let slope = if gap > 1e-12 { (new_high - new_low) / gap } else { 0.0 };
    let new = [0, 1].map(|a| {
        [0, 1].map(|b| {
            let unit = if a == b { 1.0 } else { 0.0 };
            unit * new_low + slope * (s[a][b] - unit * low)
        })
    });
    (product(r, new), high * low / (new_high * new_low))
}

fn stress(p: &Point, material: u32) -> M {
    if material == FLUID {
        let pressure = f64::from(FLUID_BULK) * p.j * (p.j - 1.0);
        return [[pressure, 0.0], [0.0, pressure]];
    }
    let (mut mu, mut lambda) = (f64::from(JELLY_MU), f64::from(JELLY_LAMBDA));
    if material == SNOW {
        let hard = (f64::from(HARDENING) * (1.0 - p.j)).exp().min(f64::from(HARDEST));
        (mu, lambda) = (f64::from(SNOW_MU) * hard, f64::from(SNOW_LAMBDA) * hard);
    }
    let r = nearest_rotation(p.f);
    let off = [0, 1].map(|a| [0, 1].map(|b| 2.0 * mu * (p.f[a][b] - r[a][b])));
    let mut stress = product(off, transposed(p.f));
    let volume = det(p.f);
    for (a, row) in stress.iter_mut().enumerate() {
        row[a] += lambda * volume * (volume - 1.0);
    }
    stress
}

/// The nodes near a particle: number, way from the particle, weight.
fn near(pos: [f64; 2], n: usize) -> Vec<(usize, [f64; 2], f64)> {
    let spline = |x: f64| {
        let x = x.abs();
        if x < 0.5 {
            0.75 - x * x
        } else {
            0.5 * (1.5 - x).max(0.0).powi(2)
        }
    };
    let mut nodes = Vec::new();
    for i in 0..n {
        for j in 0..n {
            let d = [i as f64 / n as f64 - pos[0], j as f64 / n as f64 - pos[1]];
            let weight = spline(d[0] * n as f64) * spline(d[1] * n as f64);
            if weight > 0.0 {
                nodes.push((i * n + j, d, weight));
            }
        }
    }
    nodes
}

pub fn step(particles: &[Particle], n: usize, step: Step) -> Vec<Point> {
    let (dt, volume) = (f64::from(step.dt), f64::from(step.volume));
    let m = f64::from(DENSITY) * volume;
    let nn = (n * n) as f64;
    let mut points = Vec::new();
    let mut mass = vec![0.0; n * n];
    let mut velocity = vec![[0.0; 2]; n * n];
    for p in particles {
        let mut q = Point {
            pos: p.pos.to_array().map(f64::from),
            vel: p.vel.to_array().map(f64::from),
            c: wide(p.c),
            f: wide(p.f),
            j: f64::from(p.j),
        };
        if p.material == FLUID {
            q.j *= 1.0 + dt * (q.c[0][0] + q.c[1][1]);
        } else {
            let change = product(q.c, q.f);
            q.f = [0, 1].map(|a| [0, 1].map(|b| q.f[a][b] + dt * change[a][b]));
        }
        if p.material == SNOW {
            let (f, plastic) = clamped(q.f);
            q.f = f;
            q.j *= plastic;
        }
        let stress = stress(&q, p.material);
        let affine = [0, 1].map(|a| [0, 1].map(|b| m * q.c[a][b] - 4.0 * nn * dt * volume * stress[a][b]));
        for (node, d, weight) in near(q.pos, n) {
            mass[node] += weight * m;
            for a in 0..2 {
                velocity[node][a] += weight * (m * q.vel[a] + affine[a][0] * d[0] + affine[a][1] * d[1]);
            }
        }
        points.push(q);
    }
    for (v, m) in velocity.iter_mut().zip(mass).filter(|(_, m)| *m > 0.0) {
        for (a, v) in v.iter_mut().enumerate() {
            *v = *v / m + dt * f64::from(step.gravity[a]);
        }
    }
    for q in &mut points {
        (q.vel, q.c) = ([0.0; 2], [[0.0; 2]; 2]);
        for (node, d, weight) in near(q.pos, n) {
            for a in 0..2 {
                q.vel[a] += weight * velocity[node][a];
                for b in 0..2 {
                    q.c[a][b] += 4.0 * nn * weight * velocity[node][a] * d[b];
                }
            }
        }
        for a in 0..2 {
            q.pos[a] += dt * q.vel[a];
        }
    }
    points
}
