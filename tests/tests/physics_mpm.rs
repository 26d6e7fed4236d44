//! The material point method of the example: what it must conserve, and a plain program in f64 beside it.

#![allow(missing_docs)]

#[path = "../../examples/examples/mpm88/physics.rs"]
mod mpm;

use mpm::{DENSITY, FLUID, JELLY, Particle, SNOW, Step, polar, substep, svd};
use swathe::prelude::*;

const N: usize = 37;

/// A number from -1 to 1 that looks random.
fn noise(k: usize) -> f32 {
    ((k as f64 * 12.9898).sin() * 43758.5453).fract() as f32
}

/// Particles of all materials in the middle of the box, in motion and under strain.
fn cloud(count: usize) -> Vec<Particle> {
    (0..count)
        .map(|k| {
            let n = |draw: usize| noise(16 * k + draw);
            let f = Mat2::from_array([[1.0 + 0.1 * n(6), 0.1 * n(7)], [0.1 * n(8), 1.0 + 0.1 * n(9)]]);
            let material = [FLUID, JELLY, SNOW][k % 3];
            Particle {
                pos: Vec2::new(0.5 + 0.2 * n(0), 0.5 + 0.2 * n(1)),
                vel: Vec2::new(2.0 * n(2), 1.0 + n(3)),
                c: Mat2::from_array([[3.0 * n(10), 3.0 * n(11)], [3.0 * n(12), 3.0 * n(13)]]),
                f: if material == FLUID { Mat2::IDENTITY } else { f },
                j: 1.0 + 0.02 * n(14),
                material,
            }
        })
        .collect()
}

struct Box2 {
    particles: Field<Particle>,
    velocity: Field<Vec2, 2>,
    mass: Field<f32, 2>,
}

fn simulate(particles: &[Particle], step: Step, steps: usize) -> Box2 {
    let device = Device::default();
    let mut all = Box2 {
        particles: Field::from_slice(&device, particles).unwrap(),
        velocity: Field::zeros(&device, [N, N]).unwrap(),
        mass: Field::zeros(&device, [N, N]).unwrap(),
    };
    for _ in 0..steps {
        substep(&mut all.particles, &mut all.velocity, &mut all.mass, step).unwrap();
    }
    all
}

fn free(dt: f32, count: usize) -> Step {
    Step {
        dt,
        gravity: Vec2::ZERO,
        volume: 0.16 / count as f32,
    }
}

fn momentum(particles: &[Particle]) -> [f64; 2] {
    let sum = |k: usize| particles.iter().map(|p| f64::from(p.vel[k])).sum::<f64>() / particles.len() as f64;
    [sum(0), sum(1)]
}

/// About the origin: of the motion of the particles, and of the motion around each, whose inertia on the grid is
/// dx^2 / 4 along each axis.
fn angular(particles: &[Particle]) -> f64 {
    let dx = 1.0 / N as f64;
    let spin = |p: &Particle| 0.25 * dx * dx * f64::from(p.c[[1, 0]] - p.c[[0, 1]]);
    let orbit = |p: &Particle| f64::from(p.pos.x) * f64::from(p.vel.y) - f64::from(p.pos.y) * f64::from(p.vel.x);
    particles.iter().map(|p| orbit(p) + spin(p)).sum::<f64>() / particles.len() as f64
}

#[test]
fn mass_and_momentum_are_conserved() {
    for count in [1, 3, 17, 1000] {
        let start = cloud(count);
        let step = free(1e-4, count);
        let end = simulate(&start, step, 10);
        let mass: f64 = end.mass.to_vec().unwrap().iter().map(|&m| f64::from(m)).sum();
        let expected = f64::from(DENSITY) * f64::from(step.volume) * count as f64;
        assert!(
            (mass / expected - 1.0).abs() < 2e-6,
            "{count}: mass {mass}, not {expected}"
        );

        let (before, now) = (momentum(&start), end.particles.to_vec().unwrap());
        for (a, b) in before.iter().zip(momentum(&now)) {
            assert!((a - b).abs() < 1e-5, "{count}: momentum {before:?} became {b}");
        }
    }
}

#[test]
fn angular_momentum_is_conserved() {
    for count in [17, 1000] {
        let start = cloud(count);
        let end = simulate(&start, free(1e-4, count), 10).particles.to_vec().unwrap();
        let (before, now) = (angular(&start), angular(&end));
        assert!((before - now).abs() < 1e-5, "{count}: {before} became {now}");
    }
}

#[test]
fn what_moves_as_a_whole_stays_as_it_is() {
    let velocity = Vec2::new(0.75, -0.5);
    let mut start = cloud(1000);
    for p in &mut start {
        (p.vel, p.c, p.f, p.j) = (velocity, Mat2::ZERO, Mat2::IDENTITY, 1.0);
    }
    let (dt, steps) = (2e-4, 100);
    let end = simulate(&start, free(dt, 1000), steps).particles.to_vec().unwrap();
    for (before, p) in start.iter().zip(&end) {
        assert!((p.vel - velocity).norm() < 1e-4, "{:?}", p.vel);
        assert!((p.f - Mat2::IDENTITY).norm_squared().sqrt() < 1e-4, "{:?}", p.f);
        assert!((p.j - 1.0).abs() < 1e-4, "{}", p.j);
        let expected = before.pos + velocity * (dt * steps as f32);
        assert!((p.pos - expected).norm() < 1e-5, "{:?}, not {expected:?}", p.pos);
    }
}

#[test]
fn a_free_fall_is_that_of_galileo() {
    let mut start = cloud(17);
    for p in &mut start {
        (p.vel, p.c, p.f, p.j) = (Vec2::ZERO, Mat2::ZERO, Mat2::IDENTITY, 1.0);
    }
    let step = Step {
        gravity: Vec2::new(0.0, -9.8),
        ..free(1e-4, 17)
    };
    let end = simulate(&start, step, 300).particles.to_vec().unwrap();
    let time = 0.03f32;
    for (before, p) in start.iter().zip(&end) {
        assert!((p.vel - Vec2::new(0.0, -9.8 * time)).norm() < 1e-4, "{:?}", p.vel);
        let expected = before.pos.y - 0.5 * 9.8 * time * time;
        // The scheme's own error is g t dt / 2.
        assert!((p.pos.y - expected).abs() < 5e-5, "{} not {expected}", p.pos.y);
    }
}

#[test]
fn a_step_is_that_of_a_plain_program() {
    for count in [1, 3, 17, 1000] {
        let start = cloud(count);
        let step = Step {
            gravity: Vec2::new(0.3, -9.8),
            ..free(1e-4, count)
        };
        let got = simulate(&start, step, 1).particles.to_vec().unwrap();
        let expected = reference::step(&start, N, step);
        for (k, (p, q)) in got.iter().zip(&expected).enumerate() {
            let close = |a: f32, b: f64, scale: f64| (f64::from(a) - b).abs() < 1e-4 * scale;
            for axis in 0..2 {
                assert!(close(p.pos[axis], q.pos[axis], 0.1), "{k} of {count}: {p:?} {q:?}");
                assert!(close(p.vel[axis], q.vel[axis], 3.0), "{k} of {count}: {p:?} {q:?}");
                for column in 0..2 {
                    assert!(
                        close(p.c[[axis, column]], q.c[axis][column], 200.0),
                        "{k} of {count}: {p:?} {q:?}"
                    );
                    assert!(
                        close(p.f[[axis, column]], q.f[axis][column], 0.1),
                        "{k} of {count}: {p:?} {q:?}"
                    );
                }
            }
            assert!(close(p.j, q.j, 0.1), "{k} of {count}: {p:?} {q:?}");
        }
    }
}

#[test]
fn nothing_leaves_the_box() {
    let mut start = cloud(1000);
    for p in &mut start {
        p.vel *= 8.0;
    }
    let step = Step {
        gravity: Vec2::new(0.0, -9.8),
        ..free(1e-4, 1000)
    };
    for p in simulate(&start, step, 2000).particles.to_vec().unwrap() {
        let wall = 2.0 / N as f32;
        assert!(
            p.pos.min_component() > wall && p.pos.max_component() < 1.0 - wall,
            "{p:?}"
        );
        assert!(p.vel.norm() < 30.0, "{p:?}");
    }
}

#[test]
fn decompositions_give_back_the_matrix() {
    for k in 0..1000 {
        let n = |draw: usize| 2.0 * noise(4 * k + draw);
        let m = Mat2::from_array([[n(0), n(1)], [n(2), n(3)]]);
        let close = |a: Mat2, b: Mat2| (a - b).norm_squared().sqrt() < 2e-6 * (1.0 + m.norm_squared());
        let is_rotation = |r: Mat2| close(r * r.transpose(), Mat2::IDENTITY) && r.determinant() > 0.0;
        let (r, s) = polar(m);
        assert!(
            is_rotation(r) && close(r * s, m) && close(s, s.transpose()),
            "{m:?}: {r:?} {s:?}"
        );
        let (u, stretch, v) = svd(m);
        assert!(
            is_rotation(u) && is_rotation(v) && stretch.x >= stretch.y.abs(),
            "{m:?}"
        );
        assert!(
            close(u * Mat2::from_diagonal(stretch) * v.transpose(), m),
            "{m:?}: {stretch:?}"
        );
    }
    let (u, stretch, v) = svd(Mat2::ZERO);
    assert_eq!((u * v.transpose(), stretch), (Mat2::IDENTITY, Vec2::ZERO));
}

/// The same step in f64, written with arrays.
#[allow(clippy::needless_range_loop)]
mod reference {
    use super::mpm::{
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
}
