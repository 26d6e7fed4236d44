//! The Ising model: a plain program with the same random numbers, Onsager's exact solution, and two devices.

#[path = "../../../examples/examples/ising/onsager.rs"]
mod onsager;
#[path = "../../../examples/examples/ising/physics.rs"]
pub mod physics;

use std::f64::consts::{PI, SQRT_2};

use physics::Ising;
use swathe::prelude::*;

use crate::device;
use crate::devices::devices;

/// A whole lattice on the host.
struct Plain {
    spins: Vec<Vec<i8>>,
    temperature: f32,
    /// The lattice's number among all.
    number: usize,
}

impl Plain {
    fn around(&self, i: usize, j: usize) -> i32 {
        let n = self.spins.len();
        let at = |i: usize, j: usize| i32::from(self.spins[i % n][j % n]);
        at(i + 1, j) + at(i + n - 1, j) + at(i, j + 1) + at(i, j + n - 1)
    }

    fn sweep(&mut self, draw: u64) {
        let n = self.spins.len();
        for colour in 0..2 {
            let positions = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
            for (place, (i, j)) in positions.filter(|(i, j)| (i + j) % 2 == colour).enumerate() {
                let cost = 2 * i32::from(self.spins[i][j]) * self.around(i, j);
                let mut rng = Rng::new(draw + colour as u64, (self.number * n * n / 2 + place) as u64);
                if rng.next_f32() < (-cost as f32 / self.temperature).exp() {
                    self.spins[i][j] *= -1;
                }
            }
        }
    }

    fn measure(&self) -> [f64; 2] {
        let n = self.spins.len();
        let (mut spin, mut energy) = (0, 0);
        for i in 0..n {
            for j in 0..n {
                spin += i32::from(self.spins[i][j]);
                let [down, right] = [self.spins[(i + 1) % n][j], self.spins[i][(j + 1) % n]];
                energy -= i32::from(self.spins[i][j]) * (i32::from(down) + i32::from(right));
            }
        }
        [spin, energy].map(|sum| f64::from(sum) / (n * n) as f64)
    }
}

#[test]
fn sweeps_are_those_of_a_plain_program() {
    let temperatures = [0.9, 2.3, 7.0];
    for side in [2, 6, 14] {
        let mut ising = Ising::new(&device(), &temperatures, side, 5).unwrap();
        let mut plain: Vec<Plain> = (0..3)
            .map(|number| Plain {
                spins: vec![vec![1; side]; side],
                temperature: temperatures[number],
                number,
            })
            .collect();
        for sweep in 0..17 {
            ising.sweep().unwrap();
            let measured = ising.measure().unwrap();
            for (t, plain) in plain.iter_mut().enumerate() {
                plain.sweep((5 << 32) + 2 * sweep);
                assert_eq!(ising.spins(t).unwrap(), plain.spins, "lattice {t} of side {side}");
                assert_eq!(measured[t], plain.measure(), "lattice {t} of side {side}");
            }
        }
    }
}

/// Onsager's energy is the derivative of his free energy, an integral that is easily summed.
#[test]
fn the_exact_energy_is_the_derivative_of_the_free_energy() {
    let log_z = |coupling: f64| {
        let (sinh, cosh) = ((2.0 * coupling).sinh(), (2.0 * coupling).cosh());
        let k = sinh.powi(-2);
        let steps = 2000;
        let integrand = |s: usize| {
            let angle = PI * (s as f64 + 0.5) / f64::from(steps);
            (cosh * cosh + (1.0 + k * k - 2.0 * k * (2.0 * angle).cos()).sqrt() / k).ln()
        };
        let integral: f64 = (0..steps as usize).map(integrand).sum::<f64>() * PI / f64::from(steps);
        0.5 * 2.0_f64.ln() + integral / (2.0 * PI)
    };
    for temperature in [0.8, 1.6, 2.1, 2.5, 3.3, 20.0] {
        let (coupling, width) = (1.0 / temperature, 1e-4);
        let expected = -(log_z(coupling + width) - log_z(coupling - width)) / (2.0 * width);
        let got = onsager::energy(temperature);
        assert!((got - expected).abs() < 1e-6, "at {temperature}: {got}, not {expected}");
    }
    assert!((onsager::energy(onsager::CRITICAL) + SQRT_2).abs() < 1e-9);
    assert!((onsager::magnetisation(2.0) - 0.911_319_377_9).abs() < 1e-9);
}

#[test]
fn energy_and_magnetisation_are_those_of_onsager() {
    let temperatures = [1.5, 1.9, 2.7, 3.5];
    let (warm, sweeps) = (60, 240);
    let mut ising = Ising::new(&device(), &temperatures, 32, 3).unwrap();
    let mut means = [[0.0; 2]; 4];
    for sweep in 0..warm + sweeps {
        ising.sweep().unwrap();
        if sweep >= warm {
            for (mean, now) in means.iter_mut().zip(ising.measure().unwrap()) {
                for (mean, now) in mean.iter_mut().zip(now) {
                    *mean += now / f64::from(sweeps);
                }
            }
        }
    }
    // Of 1024 spins and 240 sweeps the energy's mean errs by 0.005, the magnetisation's by 0.003 below the critical temperature and by
    // 0.03 above it.
    for ((t, [magnetisation, energy]), near) in temperatures.iter().zip(means).zip([0.01, 0.01, 0.1, 0.1]) {
        let t = f64::from(*t);
        let (m, e) = (onsager::magnetisation(t), onsager::energy(t));
        assert!((energy - e).abs() < 0.02, "energy at {t}: {energy}, not {e}");
        assert!(
            (magnetisation - m).abs() < near,
            "magnetisation at {t}: {magnetisation}, not {m}"
        );
    }
}

/// Integers, and floats that are compared only: the same bits.
#[test]
fn spins_on_both_devices() {
    let temperatures = [1.7, 2.3, 3.0];
    let mut both = devices().map(|device| Ising::new(&device, &temperatures, 10, 77).unwrap());
    for sweep in 0..9 {
        let [cpu, cuda] = both.each_mut().map(|ising| {
            ising.sweep().unwrap();
            let spins = [0, 1, 2].map(|t| ising.spins(t).unwrap());
            (spins, ising.measure().unwrap())
        });
        assert_eq!(cpu, cuda, "after sweep {sweep}");
    }
    let flipped = both[0]
        .spins(2)
        .unwrap()
        .concat()
        .iter()
        .filter(|spin| **spin < 0)
        .count();
    assert!(flipped > 10, "{flipped} spins of 100 are down");
}
