//! The lattice Boltzmann method: conservation, viscosity, a channel's profile and drag by their formulas, and two devices.

#[path = "../../../examples/examples/vortex_street/physics.rs"]
pub mod physics;

use std::f64::consts::TAU;

use physics::{Flow, drag, equilibrium, step, velocity, vorticity};
use swathe::prelude::*;

use crate::devices::devices;
use crate::{device, noise, same};

const CALM: Flow = Flow {
    wind: Vec2::ZERO,
    fringe: 0.0,
    force: Vec2::ZERO,
    omega: 1.25,
};

/// A fluid of density 1 with walls.
struct Tank {
    old: Field<f32, 3>,
    new: Field<f32, 3>,
    solid: Field<bool, 2>,
}

impl Tank {
    fn new(
        device: &Device,
        [h, w]: [usize; 2],
        velocity: impl Fn(usize, usize) -> Vec2,
        solid: impl Fn([usize; 2]) -> bool,
    ) -> Tank {
        let old = Field::from_fn(device, [9, h, w], |[q, i, j]| equilibrium(q, 1.0, velocity(i, j))).unwrap();
        Tank {
            new: old.try_clone().unwrap(),
            old,
            solid: Field::from_fn(device, [h, w], solid).unwrap(),
        }
    }

    fn run(&mut self, flow: Flow, steps: usize) {
        for _ in 0..steps {
            step(&self.old, &mut self.new, &self.solid, flow).unwrap();
            std::mem::swap(&mut self.old, &mut self.new);
        }
    }

    /// Of each cell, by the example's function on the host.
    fn velocities(&self) -> Vec<([usize; 2], Vec2)> {
        let f = Field::from_ndarray(&Device::cpu(), &self.old.to_ndarray().unwrap()).unwrap();
        let [h, w] = self.solid.shape();
        ndrange([h, w]).map(|[i, j]| ([i, j], velocity(&f, i, j))).collect()
    }

    /// Mass and momentum, with the ways of the particles written out once more.
    fn totals(&self) -> [f64; 3] {
        let ways = [
            [-1, -1],
            [-1, 0],
            [-1, 1],
            [0, -1],
            [0, 0],
            [0, 1],
            [1, -1],
            [1, 0],
            [1, 1],
        ];
        let mut totals = [0.0; 3];
        for ([q, ..], f) in self.old.indexed_iter().unwrap() {
            for (total, factor) in totals.iter_mut().zip([1, ways[q][1], ways[q][0]]) {
                *total += f64::from(factor) * f64::from(f);
            }
        }
        totals
    }
}

#[test]
fn mass_and_momentum_are_conserved() {
    for shape in [[1, 1], [3, 17], [20, 13]] {
        let velocity = |i, j| Vec2::new(0.1 * noise(31 * i + j), 0.1 * noise(31 * i + j + 5000) - 0.03);
        let mut tank = Tank::new(&device(), shape, velocity, |_| false);
        let before = tank.totals();
        tank.run(CALM, 50);
        let cells = (shape[0] * shape[1]) as f64;
        for (a, b) in before.iter().zip(tank.totals()) {
            assert!((a - b).abs() < 2e-6 * cells, "{shape:?}: {before:?} became {b}");
        }
    }
}

/// A shear wave fades as exp(-viscosity k^2 t).
#[test]
fn the_viscosity_is_that_of_the_formula() {
    let (h, w, steps) = (32, 3, 200);
    let k = TAU / h as f64;
    for omega in [0.8_f32, 1.25, 1.7] {
        let wave = |i: usize| (k * i as f64).sin();
        let mut tank = Tank::new(
            &device(),
            [h, w],
            |i, _| Vec2::new(0.05 * wave(i) as f32, 0.0),
            |_| false,
        );
        tank.run(Flow { omega, ..CALM }, steps);
        let viscosity = (1.0 / f64::from(omega) - 0.5) / 3.0;
        let left = 0.05 * (-viscosity * k * k * steps as f64).exp();
        for ([i, j], u) in tank.velocities() {
            let expected = left * wave(i);
            // The lattice's own error is a share of k^2, which is 0.04.
            assert!(
                (f64::from(u.x) - expected).abs() < 0.02 * left,
                "{omega}: {i}, {j}: {u:?}, not {expected}"
            );
            assert!(u.y.abs() < 1e-6);
        }
    }
}

/// Between walls half a cell beyond the fluid, with the relaxation for which that is exact.
#[test]
fn a_channel_has_the_profile_of_poiseuille() {
    let (h, w, force) = (12, 5, 5e-4);
    let time = 0.5 + (3.0_f64 / 16.0).sqrt();
    let flow = Flow {
        omega: (1.0 / time) as f32,
        force: Vec2::new(force, 0.0),
        ..CALM
    };
    let mut tank = Tank::new(&device(), [h, w], |_, _| Vec2::ZERO, |[i, _]| i == 0);
    tank.run(flow, 1500);
    let (viscosity, force) = ((time - 0.5) / 3.0, f64::from(force));
    let most = force * 11.0 * 11.0 / (8.0 * viscosity);
    for ([i, _], u) in tank.velocities().into_iter().filter(|([i, _], _)| *i > 0) {
        let y = i as f64 - 0.5;
        let expected = force / (2.0 * viscosity) * y * (11.0 - y);
        // Half of the force of this step is that of the next half.
        let got = f64::from(u.x) - 0.5 * force;
        assert!((got - expected).abs() < 1e-3 * most, "row {i}: {got}, not {expected}");
        assert!(u.y.abs() < 1e-6);
    }
    // The walls bear all of the force.
    let on_walls = drag(&tank.old, &tank.solid).unwrap();
    let expected = force * (11 * w) as f64;
    assert!(
        (f64::from(on_walls.x) / expected - 1.0).abs() < 5e-3,
        "{on_walls:?}, not {expected}"
    );
    assert!(f64::from(on_walls.y).abs() < 5e-3 * expected, "{on_walls:?}");
}

#[test]
fn the_wind_takes_a_calm_fluid_along() {
    let flow = Flow {
        wind: Vec2::new(0.06, -0.02),
        fringe: 6.0,
        ..CALM
    };
    let mut tank = Tank::new(&device(), [5, 19], |_, _| Vec2::ZERO, |_| false);
    tank.run(flow, 1000);
    for ([i, j], u) in tank.velocities() {
        assert!((u - flow.wind).norm() < 1e-4, "{i}, {j}: {u:?}");
    }
}

#[test]
fn vorticity_of_a_solid_rotation() {
    let (h, w, rate) = (9, 11, 0.015);
    let turning = |i: usize, j: usize| Vec2::new(-rate * i as f32, rate * j as f32);
    let tank = Tank::new(&device(), [h, w], turning, |_| false);
    let mut out = Field::zeros(&device(), [h, w]).unwrap();
    vorticity(&tank.old, &mut out).unwrap();
    for ([i, j], got) in out.indexed_iter().unwrap() {
        if (1..h - 1).contains(&i) && (1..w - 1).contains(&j) {
            assert!((got - 2.0 * rate).abs() < 1e-6, "{i}, {j}: {got}");
        }
    }
}

#[test]
fn frames_on_both_devices() {
    let flow = Flow {
        wind: Vec2::new(0.08, 0.01),
        fringe: 5.0,
        force: Vec2::new(0.0, 1e-4),
        omega: 1.7,
    };
    let solid = |[i, j]: [usize; 2]| (5..9).contains(&i) && (8..11).contains(&j) || [i, j] == [0, 22];
    let velocity = |i, j| Vec2::new(0.08, 0.05 * noise(23 * i + j));
    let mut tanks = devices().map(|device| Tank::new(&device, [17, 23], velocity, solid));
    for frame in 0..4 {
        for tank in &mut tanks {
            tank.run(flow, 5);
        }
        let [cpu, cuda] = tanks.each_ref().map(|tank| tank.old.to_vec().unwrap());
        same(&format!("frame {frame}"), [&cpu, &cuda], |f| vec![*f], 1e-6);
        let forces = tanks.each_ref().map(|tank| drag(&tank.old, &tank.solid).unwrap());
        assert!(
            (forces[0] - forces[1]).norm() < 1e-5 && forces[0].norm() > 1e-3,
            "{forces:?}"
        );
        let turning = tanks.each_ref().map(|tank| {
            let mut out = Field::zeros(tank.old.device(), tank.solid.shape()).unwrap();
            vorticity(&tank.old, &mut out).unwrap();
            out.to_vec().unwrap()
        });
        same("vorticity", [&turning[0], &turning[1]], |v| vec![*v], 1e-6);
    }
}
