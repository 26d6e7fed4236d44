//! Lenia: a plain program, a glider that glides, and two devices.

#[path = "../../../examples/examples/lenia/physics.rs"]
pub mod physics;

use std::f64::consts::TAU;

use physics::{GROWTH, Growth, Orbium, live, ring};
use swathe::prelude::*;

use crate::devices::devices;
use crate::{device, noise, same};

/// The sum over all cells around, and growth by it.
fn plain_step(old: &[Vec<f64>], radius: usize, growth: Growth) -> Vec<Vec<f64>> {
    let (h, w, reach) = (old.len(), old[0].len(), radius as isize);
    let mut ring = Vec::new();
    for (y, x) in (-reach..=reach).flat_map(|y| (-reach..=reach).map(move |x| (y, x))) {
        let r = (y as f64).hypot(x as f64) / radius as f64;
        if r > 0.0 && r < 1.0 {
            ring.push((y, x, (4.0 - 1.0 / (r * (1.0 - r))).exp()));
        }
    }
    let all: f64 = ring.iter().map(|(.., weight)| weight).sum();
    let [mu, sigma, dt] = [growth.mu, growth.sigma, growth.dt].map(f64::from);
    let cell = |i: usize, j: usize| {
        let around = |(y, x, weight): &(isize, isize, f64)| {
            let row = (i as isize + y).rem_euclid(h as isize) as usize;
            weight * old[row][(j as isize + x).rem_euclid(w as isize) as usize]
        };
        let mean = ring.iter().map(around).sum::<f64>() / all;
        let rate = 2.0 * (-(mean - mu).powi(2) / (2.0 * sigma * sigma)).exp() - 1.0;
        (old[i][j] + dt * rate).clamp(0.0, 1.0)
    };
    (0..h).map(|i| (0..w).map(|j| cell(i, j)).collect()).collect()
}

#[test]
fn a_step_is_that_of_a_plain_program() {
    for (radius, [h, w]) in [(2, [1, 5]), (2, [3, 4]), (5, [23, 12]), (13, [27, 31])] {
        // Wide growth, so that most cells are between 0 and 1.
        let growth = Growth {
            mu: 0.5,
            sigma: 0.1,
            dt: 0.3,
        };
        let state = |[i, j]: [usize; 2]| noise(w * i + j);
        let old = Field::from_fn(&device(), [h, w], state).unwrap();
        let mut new = Field::zeros(&device(), [h, w]).unwrap();
        live(&old, &ring(&device(), radius).unwrap(), growth, &mut new).unwrap();
        let plain: Vec<Vec<f64>> = (0..h).map(|i| (0..w).map(|j| state([i, j]).into()).collect()).collect();
        let expected = plain_step(&plain, radius, growth);
        let mut between = 0;
        for ([i, j], got) in new.indexed_iter().unwrap() {
            let expected = expected[i][j];
            assert!(
                (f64::from(got) - expected).abs() < 1e-5,
                "{radius}, {i}, {j}: {got}, not {expected}"
            );
            between += usize::from(expected > 0.0 && expected < 1.0);
        }
        assert!(2 * between > h * w, "{between} of {h} x {w}");
    }
}

/// The sum of all states, and their centre: the angles of their first waves.
fn centre(u: &Field<f32, 2>) -> (f64, [f64; 2]) {
    let mut sums = [[0.0; 2]; 2];
    let mut mass = 0.0;
    for (at, state) in u.indexed_iter().unwrap() {
        mass += f64::from(state);
        for axis in 0..2 {
            let angle = TAU * at[axis] as f64 / u.shape()[axis] as f64;
            sums[axis][0] += f64::from(state) * angle.cos();
            sums[axis][1] += f64::from(state) * angle.sin();
        }
    }
    let place = |axis: usize| sums[axis][1].atan2(sums[axis][0]) / TAU * u.shape()[axis] as f64;
    (mass, [place(0), place(1)])
}

#[test]
fn a_glider_goes_its_way_and_stays_what_it_is() {
    let (shape, steps) = ([41, 39], 12);
    let ring = ring(&device(), 13).unwrap();
    let ways = [0, 1].map(|quarters| {
        let glider = Orbium { at: [35, 30], quarters };
        let mut old = Field::from_fn(&device(), shape, |at| glider.state(at, shape)).unwrap();
        let mut new = old.try_clone().unwrap();
        let (mut way, mut last) = ([0.0; 2], centre(&old).1);
        for step in 0..steps {
            live(&old, &ring, GROWTH, &mut new).unwrap();
            std::mem::swap(&mut old, &mut new);
            let (mass, now) = centre(&old);
            assert!(mass > 66.0 && mass < 76.0, "step {step}: a mass of {mass}");
            for axis in 0..2 {
                let size = shape[axis] as f64;
                way[axis] += (now[axis] - last[axis] + 1.5 * size).rem_euclid(size) - 0.5 * size;
            }
            last = now;
        }
        way
    });
    for [down, right] in ways {
        let speed = down.hypot(right) / f64::from(steps);
        assert!((speed - 0.61).abs() < 0.03, "{speed}");
    }
    // A quarter turns its way by a quarter.
    let [[down, right], [turned_down, turned_right]] = ways;
    assert!((turned_down - right).hypot(turned_right + down) < 0.1, "{ways:?}");
}

#[test]
fn frames_on_both_devices() {
    let growth = Growth {
        mu: 0.4,
        sigma: 0.1,
        dt: 0.2,
    };
    let mut both = devices().map(|device| {
        let u = Field::from_fn(&device, [19, 23], |[i, j]| noise(23 * i + j)).unwrap();
        let ring = ring(&device, 4).unwrap();
        (u.try_clone().unwrap(), u, ring)
    });
    for frame in 0..3 {
        for (old, new, ring) in &mut both {
            for _ in 0..2 {
                live(old, ring, growth, new).unwrap();
                std::mem::swap(old, new);
            }
        }
        let [cpu, cuda] = both.each_ref().map(|(old, ..)| old.to_vec().unwrap());
        same(&format!("frame {frame}"), [&cpu, &cuda], |u| vec![*u], 1e-4);
        let between = cpu.iter().filter(|u| **u > 0.01 && **u < 0.99).count();
        assert!(between > 50, "{between} cells");
    }
}
