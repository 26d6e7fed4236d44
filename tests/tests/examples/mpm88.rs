//! The material point method: what it must conserve, a plain program in f64 beside it, and two devices.

#[path = "../../../examples/examples/mpm88/physics.rs"]
pub mod physics;
#[path = "mpm88_reference.rs"]
#[allow(clippy::needless_range_loop)]
mod reference;

use physics::{DENSITY, FLUID, JELLY, Particle, SNOW, Step, polar, substep, svd};
use swathe::prelude::*;

use crate::device;
use crate::devices::devices;

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
    let device = device();
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

#[test]
fn frames_on_both_devices() {
    let devices = devices();
    let (count, n) = (300, 33);
    let start: Vec<Particle> = (0..count)
        .map(|k| Particle {
            pos: Vec2::new(0.3 + 0.4 * crate::noise(4 * k), 0.1 + 0.4 * crate::noise(4 * k + 1)),
            vel: Vec2::new(crate::noise(4 * k + 2), -2.0 * crate::noise(4 * k + 3)),
            c: Mat2::ZERO,
            f: Mat2::IDENTITY,
            j: 1.0,
            material: [FLUID, JELLY, SNOW][k % 3],
        })
        .collect();
    let step = Step {
        dt: 2e-4,
        gravity: Vec2::new(0.0, -9.8),
        volume: 0.16 / count as f32,
    };
    let mut all = devices.each_ref().map(|d| {
        (
            Field::from_slice(d, &start).unwrap(),
            Field::zeros(d, [n, n]).unwrap(),
            Field::zeros(d, [n, n]).unwrap(),
        )
    });
    for frame in 0..4 {
        for (particles, velocity, mass) in &mut all {
            for _ in 0..5 {
                substep(particles, velocity, mass, step).unwrap();
            }
        }
        let [cpu, cuda] = all.each_ref().map(|(particles, ..)| particles.to_vec().unwrap());
        assert!(cpu[5].pos != start[5].pos);
        // The grid's sums have no order on either device.
        for (k, (a, b)) in cpu.iter().zip(&cuda).enumerate() {
            let near = |a: f32, b: f32, scale: f32| a.is_finite() && (a - b).abs() <= 1e-3 * scale;
            let good = a.material == b.material
                && near(a.j, b.j, 1.0)
                && (0..2).all(|i| near(a.pos[i], b.pos[i], 0.01) && near(a.vel[i], b.vel[i], 3.0))
                && (0..4).all(|i| near(a.f[[i / 2, i % 2]], b.f[[i / 2, i % 2]], 1.0));
            assert!(good, "frame {frame}, particle {k}: {a:?} {b:?}");
        }
    }
}
