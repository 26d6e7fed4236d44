//! Boids: a plain program of all pairs, order out of disorder, and two devices.

pub use crate::dam_break::cells;
#[path = "../../../examples/examples/boids/physics.rs"]
pub mod physics;

use std::f32::consts::TAU;

use cells::Cells;
use physics::{Boid, Flock, Rules};
use swathe::prelude::*;

use crate::devices::devices;
use crate::{device, noise, same};

fn rules(plane: [f32; 2]) -> Rules {
    Rules {
        plane: Vec2::from_array(plane),
        reach: 0.1,
        near: 0.04,
        speed: 0.3,
        separation: 0.02,
        alignment: 2.0,
        cohesion: 7.0,
    }
}

/// Boids anywhere, which fly all ways.
fn swarm(count: usize, rules: Rules) -> Vec<Boid> {
    let boid = |k: usize| {
        let n = |draw: usize| noise(4 * k + draw);
        let angle = TAU * n(2);
        Boid {
            pos: rules.plane * Vec2::new(n(0), n(1)),
            vel: Vec2::new(angle.cos(), angle.sin()) * rules.speed,
        }
    };
    (0..count).map(boid).collect()
}

/// Place and velocity after a step, by all pairs.
#[allow(clippy::needless_range_loop)]
fn plain_step(start: &[Boid], rules: Rules, dt: f64) -> Vec<[[f64; 2]; 2]> {
    let wide = |v: Vec2| v.to_array().map(f64::from);
    let [reach, near, speed] = [rules.reach, rules.near, rules.speed].map(f64::from);
    let [separation, alignment, cohesion] = [rules.separation, rules.alignment, rules.cohesion].map(f64::from);
    let plane = wide(rules.plane);
    let step = |i: usize| {
        let [mut pos, mut vel] = [wide(start[i].pos), wide(start[i].vel)];
        let (mut ways, mut velocities, mut apart) = (Vec::new(), Vec::new(), [0.0; 2]);
        for j in (0..start.len()).filter(|j| *j != i) {
            let mut d = [0.0; 2];
            for k in 0..2 {
                // Of the images of the other one the nearest.
                let images = [-1.0, 0.0, 1.0].map(|image| wide(start[j].pos)[k] + image * plane[k] - pos[k]);
                d[k] = images.into_iter().min_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap();
            }
            let r = d[0].hypot(d[1]);
            if r < reach {
                ways.push(d);
                velocities.push(wide(start[j].vel));
            }
            if r < near {
                for k in 0..2 {
                    apart[k] -= d[k] / r * (1.0 / r - 1.0 / near);
                }
            }
        }
        for k in 0..2 {
            let mean = |of: &[[f64; 2]]| of.iter().map(|v| v[k]).sum::<f64>() / of.len() as f64;
            let mut acceleration = separation * apart[k];
            if !ways.is_empty() {
                acceleration += alignment * (mean(&velocities) - vel[k]) + cohesion * mean(&ways);
            }
            apart[k] = acceleration;
        }
        let push = apart;
        vel = [0, 1].map(|k| vel[k] + dt * push[k]);
        let norm = vel[0].hypot(vel[1]);
        vel = vel.map(|v| v / norm * speed);
        pos = [0, 1].map(|k| (pos[k] + dt * vel[k]).rem_euclid(plane[k]));
        [pos, vel]
    };
    (0..start.len()).map(step).collect()
}

#[test]
fn a_step_is_that_of_a_plain_program() {
    // Planes of one, two and many cells along a side.
    for (count, plane) in [
        (1, [1.0, 1.0]),
        (3, [0.2, 0.2]),
        (17, [0.21, 0.45]),
        (301, [1.3, 0.7]),
        (101, [0.5, 0.25]),
    ] {
        let rules = rules(plane);
        let mut start = swarm(count, rules);
        let mut flock = Flock::of(rules, Field::from_slice(&device(), &start).unwrap()).unwrap();
        flock.step(0.05).unwrap();
        // Sorted, as they are after the step.
        let grid = Cells::new(&device(), count, rules.plane, rules.reach).unwrap().grid;
        start.sort_by_key(|boid| grid.number(boid.pos));
        let expected = plain_step(&start, rules, 0.05);
        let got = flock.boids().unwrap();
        assert_eq!(got.len(), expected.len());
        for (k, (boid, [pos, vel])) in got.iter().zip(&expected).enumerate() {
            let close = |a: f32, b: f64| (f64::from(a) - b).abs() < 1e-5;
            let good = (0..2).all(|i| close(boid.pos[i], pos[i]) && close(boid.vel[i], vel[i]));
            assert!(good, "{k} of {count}: {boid:?}, not {:?}", expected[k]);
        }
    }
}

#[test]
fn alignment_alone_makes_order_of_disorder() {
    let mut rules = rules([0.5, 0.4]);
    (rules.separation, rules.cohesion) = (0.0, 0.0);
    let start = swarm(301, rules);
    let mut flock = Flock::of(rules, Field::from_slice(&device(), &start).unwrap()).unwrap();
    // Of directions at random the sum is about the root of their number.
    assert!(flock.order().unwrap() < 0.15, "{}", flock.order().unwrap());
    for _ in 0..200 {
        flock.step(0.05).unwrap();
    }
    let order = flock.order().unwrap();
    assert!(order > 0.9 && order <= 1.0 + 1e-6, "{order}");
    let boids = flock.boids().unwrap();
    let sum = boids.iter().fold([0.0; 2], |sum, boid| {
        let angle = f64::from(boid.vel.y).atan2(boid.vel.x.into());
        [sum[0] + angle.cos(), sum[1] + angle.sin()]
    });
    assert!((sum[0].hypot(sum[1]) / 301.0 - order).abs() < 1e-5);
    for boid in boids {
        assert!((boid.vel.norm() / rules.speed - 1.0).abs() < 1e-5, "{boid:?}");
    }
}

#[test]
fn frames_on_both_devices() {
    let rules = rules([1.1, 0.7]);
    let start = swarm(203, rules);
    let mut both = devices().map(|device| Flock::of(rules, Field::from_slice(&device, &start).unwrap()).unwrap());
    for frame in 0..4 {
        for flock in &mut both {
            for _ in 0..3 {
                flock.step(0.02).unwrap();
            }
        }
        let [cpu, cuda] = both.each_ref().map(|flock| flock.boids().unwrap());
        let parts = |boid: &Boid| vec![boid.pos.x, boid.pos.y, boid.vel.x, boid.vel.y];
        same(&format!("frame {frame}"), [&cpu, &cuda], parts, 1e-4);
        let [cpu, cuda] = both.each_ref().map(|flock| flock.order().unwrap());
        assert!((cpu - cuda).abs() < 1e-4, "{cpu}, {cuda}");
    }
}
