//! Gravity: conservation, a closed orbit, a plain program in f64 beside it, and two devices.

#[path = "../../../examples/examples/nbody/physics.rs"]
pub mod physics;

use physics::{Body, energy, kick, leapfrog};
use swathe::prelude::*;

use crate::devices::devices;
use crate::{device, noise, same};

fn cluster(count: usize) -> Vec<Body> {
    let noise = |k: usize| ((k as f64 * 78.233).sin() * 43758.5453).fract() as f32;
    (0..count)
        .map(|k| {
            let n = |draw: usize| noise(8 * k + draw);
            Body {
                pos: Vec3::new(n(0), n(1), n(2)),
                vel: Vec3::new(n(3), n(4), n(5)) * 0.4,
                mass: (1.5 + n(6)) / count as f32,
            }
        })
        .collect()
}

fn momentum(bodies: &[Body]) -> [f64; 3] {
    [0, 1, 2].map(|k| bodies.iter().map(|b| f64::from(b.mass) * f64::from(b.vel[k])).sum())
}

#[test]
fn accelerations_are_those_of_a_plain_program() {
    let (dt, eps2) = (0.01f32, 1e-3f32);
    for count in [0, 1, 3, 17, 1000] {
        let start = cluster(count);
        let mut field = Field::from_slice(&device(), &start).unwrap();
        kick(&mut field, dt, eps2).unwrap();
        for (k, got) in field.to_vec().unwrap().iter().enumerate() {
            let mut expected = start[k].vel.to_array().map(f64::from);
            for other in &start {
                let d = [0, 1, 2].map(|a| f64::from(other.pos[a]) - f64::from(start[k].pos[a]));
                let r2 = d.iter().map(|x| x * x).sum::<f64>() + f64::from(eps2);
                for a in 0..3 {
                    expected[a] += f64::from(dt) * f64::from(other.mass) * d[a] / r2.powf(1.5);
                }
            }
            for a in 0..3 {
                assert!(
                    (f64::from(got.vel[a]) - expected[a]).abs() < 1e-6,
                    "{k} of {count}: {got:?} {expected:?}"
                );
            }
            assert_eq!((got.pos, got.mass), (start[k].pos, start[k].mass));
        }
    }
}

#[test]
fn the_energy_is_that_of_a_plain_program() {
    let eps2 = 1e-2f32;
    for count in [0, 1, 3, 17, 1000] {
        let start = cluster(count);
        let field = Field::from_slice(&device(), &start).unwrap();
        let (kinetic, potential) = energy(&field, eps2).unwrap();
        let mut expected = [0.0f64; 2];
        for (k, a) in start.iter().enumerate() {
            let mass = f64::from(a.mass);
            expected[0] += 0.5 * mass * a.vel.to_array().map(|v| f64::from(v).powi(2)).iter().sum::<f64>();
            for b in &start[..k] {
                let r2: f64 = (0..3)
                    .map(|x| (f64::from(a.pos[x]) - f64::from(b.pos[x])).powi(2))
                    .sum();
                expected[1] -= mass * f64::from(b.mass) / (r2 + f64::from(eps2)).sqrt();
            }
        }
        for (got, expected) in [kinetic, potential].iter().zip(expected) {
            assert!(
                (got - expected).abs() <= 2e-6 * expected.abs(),
                "{count}: {got}, not {expected}"
            );
        }
    }
}

#[test]
fn momentum_is_conserved_and_energy_drifts_little() {
    let eps2 = 0.01;
    let start = cluster(300);
    let mut field = Field::from_slice(&device(), &start).unwrap();
    let total = |field: &Field<Body>| {
        let (kinetic, potential) = energy(field, eps2).unwrap();
        kinetic + potential
    };
    let before = total(&field);
    leapfrog(&mut field, 0.005, eps2, 400).unwrap();
    let end = field.to_vec().unwrap();
    for (a, b) in momentum(&start).iter().zip(momentum(&end)) {
        assert!((a - b).abs() < 2e-5, "{a} became {b}");
    }
    let drift = (total(&field) / before - 1.0).abs();
    assert!(drift < 2e-3, "energy drifted by {drift}");
    let moved = start.iter().zip(&end).map(|(a, b)| a.pos.distance(b.pos)).sum::<f32>() / 300.0;
    assert!(moved > 0.3, "the bodies moved by {moved} only");
}

#[test]
fn two_bodies_come_back_after_keplers_period() {
    // Masses on a circle around the centre of mass: T = 2 pi sqrt(d^3 / (m1 + m2)), eps = 0.
    let (m1, m2, d) = (1.5f32, 0.5f32, 0.8f32);
    let omega = ((m1 + m2) / (d * d * d)).sqrt();
    let [r1, r2] = [d * m2 / (m1 + m2), d * m1 / (m1 + m2)];
    let start = [
        Body {
            pos: Vec3::new(r1, 0.0, 0.0),
            vel: Vec3::new(0.0, omega * r1, 0.0),
            mass: m1,
        },
        Body {
            pos: Vec3::new(-r2, 0.0, 0.0),
            vel: Vec3::new(0.0, -omega * r2, 0.0),
            mass: m2,
        },
    ];
    let period = std::f32::consts::TAU / omega;
    // A body is at no distance from itself; a softening too small to matter keeps that from being 0 / 0.
    let eps2 = 1e-12;
    let mut field = Field::from_slice(&device(), &start).unwrap();
    let quarter = 500;
    for turn in 1..=4 {
        leapfrog(&mut field, period / (4 * quarter) as f32, eps2, quarter).unwrap();
        let angle = f64::from(turn) * std::f64::consts::FRAC_PI_2;
        for (body, r) in field.to_vec().unwrap().iter().zip([r1, -r2]) {
            let expected = [f64::from(r) * angle.cos(), f64::from(r) * angle.sin()];
            let error = (f64::from(body.pos.x) - expected[0]).hypot(f64::from(body.pos.y) - expected[1]);
            assert!(error < 1e-4, "after {turn} quarters off by {error}: {body:?}");
        }
    }
}

#[test]
fn frames_on_both_devices() {
    let devices = devices();
    let count = 97;
    let start: Vec<Body> = (0..count)
        .map(|k| {
            let n = |draw: usize| noise(8 * k + draw) - 0.5;
            Body {
                pos: Vec3::new(n(0), n(1), n(2)),
                vel: Vec3::new(n(3), n(4), n(5)) * 0.4,
                mass: (1.5 + n(6)) / count as f32,
            }
        })
        .collect();
    let mut bodies = devices.each_ref().map(|d| Field::from_slice(d, &start).unwrap());
    for frame in 0..4 {
        for bodies in &mut bodies {
            leapfrog(bodies, 0.005, 1e-3, 3).unwrap();
        }
        let shown = bodies.each_ref().map(|bodies| bodies.to_vec().unwrap());
        assert!(shown[0][5].pos != start[5].pos);
        let parts = |b: &Body| [b.pos.to_array(), b.vel.to_array()].concat();
        same(&format!("frame {frame}"), [&shown[0], &shown[1]], parts, 1e-4);
        // Sums of another order.
        let [cpu, cuda] = bodies.each_ref().map(|bodies| energy(bodies, 1e-3).unwrap());
        for (a, b) in [(cpu.0, cuda.0), (cpu.1, cuda.1)] {
            assert!((a - b).abs() <= 1e-5 * a.abs(), "frame {frame}: {a} {b}");
        }
    }
}
