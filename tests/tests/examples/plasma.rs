//! Particles in cells: a plain program, the plasma frequency, what is conserved, how fast two streams become unstable, and two devices.

#[path = "../../../examples/examples/plasma/physics.rs"]
pub mod physics;

use std::f64::consts::TAU;

use physics::{Electron, Plasma, Ring, portrait};
use swathe::prelude::*;

use crate::devices::devices;
use crate::{device, noise, same};

fn gas(count: usize, ring: Ring) -> Vec<Electron> {
    let electron = |k: usize| Electron {
        x: ring.length * noise(2 * k),
        v: 3.0 * noise(2 * k + 1) - 1.7,
    };
    (0..count).map(electron).collect()
}

fn plasma(device: &Device, ring: Ring, electrons: &[Electron]) -> Plasma {
    Plasma::new(ring, Field::from_slice(device, electrons).unwrap()).unwrap()
}

/// Density and field at the nodes, then places and velocities after a step. The field in the middle of cells is found from its rises, by
/// a sum over all for each.
fn plain_step(start: &[Electron], ring: Ring, dt: f64) -> ([Vec<f64>; 2], Vec<[f64; 2]>) {
    let n = ring.cells as usize;
    let (length, count) = (f64::from(ring.length), start.len() as f64);
    let cell = length / n as f64;
    // The weight of a node: a hat of two cells, on the ring.
    let hat = |x: f64, node: usize| -> f64 {
        let images = [-1.0, 0.0, 1.0].map(|turn| (x / cell - node as f64 + turn * n as f64).abs());
        images.map(|far| (1.0 - far).max(0.0)).iter().sum()
    };
    let wide = |e: &Electron| [f64::from(e.x), f64::from(e.v)];
    let at = |node: usize| start.iter().map(|e| hat(wide(e)[0], node)).sum::<f64>() * n as f64 / count;
    let density: Vec<f64> = (0..n).map(at).collect();
    let rises = |to: usize| (0..=to).map(|node| (1.0 - density[node]) * cell).sum::<f64>();
    let middle: Vec<f64> = (0..n).map(rises).collect();
    let mean = middle.iter().sum::<f64>() / n as f64;
    let field: Vec<f64> = (0..n)
        .map(|c| 0.5 * (middle[(c + n - 1) % n] + middle[c]) - mean)
        .collect();
    let moved = |e: &Electron| {
        let [x, v] = wide(e);
        let v = v - dt * (0..n).map(|node| hat(x, node) * field[node]).sum::<f64>();
        [(x + v * dt).rem_euclid(length), v]
    };
    let moved = start.iter().map(moved).collect();
    ([density, field], moved)
}

#[test]
fn a_step_is_that_of_a_plain_program() {
    for (count, cells, length) in [(1, 1, 1.0), (3, 2, 0.7), (17, 3, 5.0), (301, 17, 9.0)] {
        let ring = Ring { length, cells };
        let start = gas(count, ring);
        let mut plasma = plasma(&device(), ring, &start);
        plasma.step(0.1).unwrap();
        let ([density, field], electrons) = plain_step(&start, ring, 0.1);
        let same = |got: &Field<f32>, expected: &[f64]| {
            for (c, (got, expected)) in got.to_vec().unwrap().into_iter().zip(expected).enumerate() {
                let off = (f64::from(got) - expected).abs();
                assert!(off < 2e-5, "{count}, node {c}: {got}, not {expected}");
            }
        };
        same(&plasma.density, &density);
        same(&plasma.field, &field);
        for (k, (got, [x, v])) in plasma.electrons.to_vec().unwrap().iter().zip(&electrons).enumerate() {
            let far = (f64::from(got.x) - x).abs();
            let far = far.min(f64::from(length) - far);
            let good = far < 1e-5 && (f64::from(got.v) - v).abs() < 1e-5;
            assert!(
                good && got.x >= 0.0 && got.x < length,
                "{k} of {count}: {got:?}, not {x}, {v}"
            );
        }
    }
}

/// The part of the field that is like a sine of so many waves.
fn sine(field: &[f32], waves: f64, phase: f64) -> f64 {
    let wave = |c: usize| (TAU * waves * c as f64 / field.len() as f64 + phase).sin();
    let parts = field.iter().enumerate().map(|(c, e)| f64::from(*e) * wave(c));
    2.0 * parts.sum::<f64>() / field.len() as f64
}

#[test]
fn a_cold_plasma_swings_with_its_frequency() {
    // Two waves on a ring of 75 cells.
    let (ring, count, dt) = (Ring { length: 5.0, cells: 75 }, 1125, 0.05_f32);
    let electron = |k: usize| {
        let x = f64::from(ring.length) * (k as f64 + 0.5) / count as f64;
        let shift = 0.02 * (2.0 * TAU * x / f64::from(ring.length)).sin();
        Electron {
            x: ring.inside((x + shift) as f32),
            v: 0.0,
        }
    };
    let start: Vec<Electron> = (0..count).map(electron).collect();
    let mut plasma = plasma(&device(), ring, &start);
    let (mut before, mut crossings, mut energies) = (0.0, Vec::new(), Vec::new());
    for step in 0..600 {
        plasma.step(dt).unwrap();
        let density = plasma.density.to_vec().unwrap();
        let charge = density.iter().map(|n| f64::from(*n) - 1.0).sum::<f64>() / 75.0;
        assert!(
            charge.abs() < 1e-5,
            "step {step}: {charge} of the electrons' charge is too much"
        );
        let [momentum, kinetic, field] = plasma.measure().unwrap();
        assert!(momentum.abs() < 1e-6, "step {step}: momentum {momentum}");
        energies.push(kinetic + field);
        let now = sine(&plasma.field.to_vec().unwrap(), 2.0, 0.0);
        // The field is that of the electrons before the step.
        if step > 0 && (now < 0.0) != (before < 0.0) {
            crossings.push(f64::from(dt) * (f64::from(step) - now / (now - before)));
        }
        before = now;
    }
    // Half a turn from one crossing to the next.
    assert_eq!(crossings.len(), 10, "{crossings:?}");
    let frequency = 0.5 * TAU * 9.0 / (crossings[9] - crossings[0]);
    assert!((frequency - 1.0).abs() < 0.01, "{frequency}");
    let [least, most] = [f64::min, f64::max].map(|of| energies.iter().copied().reduce(of).unwrap());
    // Velocities are known half a step before the field: their energies together swing by sin(dt / 2), a fortieth, to both sides.
    assert!(most / least < 1.06, "energy from {least} to {most}");
}

/// Of streams of velocity 1 in opposite ways a wave of number k grows by the root of -w², where 1 = 1/2 / (w - k)² + 1/2 / (w + k)².
#[test]
fn two_streams_are_as_unstable_as_the_theory_says() {
    let k = (3.0_f64 / 8.0).sqrt();
    let growth = (0.5 * ((1.0 + 8.0 * k * k).sqrt() - 1.0 - 2.0 * k * k)).sqrt();
    assert!((growth - 0.125_f64.sqrt()).abs() < 1e-9, "the fastest");
    let ring = Ring {
        length: (TAU / k) as f32,
        cells: 65,
    };
    let half = 1300;
    let electron = |n: usize| {
        let x = TAU * ((n % half) as f64 + 0.5) / half as f64;
        let shifted = (x + 1e-4 * x.cos()) / k;
        let v = if n < half { 1.0 } else { -1.0 };
        Electron {
            x: ring.inside(shifted as f32),
            v,
        }
    };
    let start: Vec<Electron> = (0..2 * half).map(electron).collect();
    let mut plasma = plasma(&device(), ring, &start);
    let mut at = Vec::new();
    for step in 0..=240 {
        plasma.step(0.05).unwrap();
        // From a time when what grows has left the rest behind, until far below the end of small waves.
        if step == 160 || step == 240 {
            let field = plasma.field.to_vec().unwrap();
            at.push(
                [0.0, 0.25 * TAU]
                    .map(|phase| sine(&field, 1.0, phase))
                    .into_iter()
                    .reduce(f64::hypot)
                    .unwrap(),
            );
        }
    }
    let got = (at[1] / at[0]).ln() / 4.0;
    assert!(
        at[1] < 0.1 && (got / growth - 1.0).abs() < 0.05,
        "{got}, not {growth}; {at:?}"
    );
}

#[test]
fn a_portrait_has_all_electrons() {
    let ring = Ring { length: 2.0, cells: 5 };
    let electrons = gas(301, ring);
    let field = Field::from_slice(&device(), &electrons).unwrap();
    let mut counts = Field::zeros(&device(), [4, 7]).unwrap();
    portrait(&field, ring, 1.5, &mut counts).unwrap();
    for ([i, j], got) in counts.indexed_iter().unwrap() {
        let is_here = |e: &Electron| {
            let (row, column) = (2.0 - 2.0 * e.v / 1.5, e.x / 2.0 * 7.0);
            row.floor() == i as f32 && column.floor() == j as f32
        };
        let of = |part: &[Electron]| part.iter().filter(|e| is_here(e)).count() as u32;
        assert_eq!(
            got,
            UVec2::new(of(&electrons[..151]), of(&electrons[151..])),
            "{i}, {j}"
        );
    }
}

/// Sums by atomic operations, in any order.
#[test]
fn steps_on_both_devices() {
    let ring = Ring { length: 7.0, cells: 31 };
    let start = gas(501, ring);
    let mut both = devices().map(|device| plasma(&device, ring, &start));
    for step in 0..8 {
        for plasma in &mut both {
            plasma.step(0.1).unwrap();
        }
        let name = format!("step {step}");
        let [cpu, cuda] = both.each_ref().map(|plasma| plasma.electrons.to_vec().unwrap());
        same(&name, [&cpu, &cuda], |e| vec![e.x, e.v], 1e-4);
        let [cpu, cuda] = both.each_ref().map(|plasma| plasma.field.to_vec().unwrap());
        same(&name, [&cpu, &cuda], |e| vec![*e], 1e-4);
        assert!(cpu.iter().any(|e| *e > 0.05));
        let [cpu, cuda] = both.each_ref().map(|plasma| plasma.measure().unwrap());
        assert!((0..3).all(|k| (cpu[k] - cuda[k]).abs() < 1e-4), "{cpu:?}, {cuda:?}");
        let counts = both.each_ref().map(|plasma| {
            let mut counts = Field::zeros(plasma.electrons.device(), [9, 11]).unwrap();
            portrait(&plasma.electrons, ring, 2.0, &mut counts).unwrap();
            counts.to_vec().unwrap().iter().map(|n| n.x + n.y).sum::<u32>()
        });
        assert!(counts[0] > 450 && counts[0].abs_diff(counts[1]) <= 1, "{counts:?}");
    }
}
