//! Light by finite differences: its speed in a medium, its energy, what a lens does to a beam, and two devices.

#[path = "../../../examples/examples/lens/physics.rs"]
pub mod physics;

use std::f64::consts::TAU;

use physics::{COURANT, Medium, electric, magnetic, shine};
use swathe::prelude::*;

use crate::devices::devices;
use crate::{device, noise, same};

/// The fields: the electric one at whole steps, the magnetic one half a step earlier.
struct Light {
    e: Field<f32, 2>,
    h: Field<Vec2, 2>,
    medium: Field<Medium, 2>,
}

impl Light {
    /// Where the magnetic field is none at the time of the electric one.
    fn new(
        device: &Device,
        shape: [usize; 2],
        e: impl Fn([usize; 2]) -> f32,
        medium: impl Fn([usize; 2]) -> Medium,
    ) -> Light {
        let e = Field::from_fn(device, shape, e).unwrap();
        let medium = Field::from_fn(device, shape, medium).unwrap();
        let mut h = Field::zeros(device, shape).unwrap();
        // Half of a whole step backwards.
        magnetic(&mut h, &e, &medium).unwrap();
        let h = (&h * -0.5).eval().unwrap();
        Light { e, h, medium }
    }

    fn step(&mut self) {
        magnetic(&mut self.h, &self.e, &self.medium).unwrap();
        electric(&mut self.e, &self.h, &self.medium).unwrap();
    }
}

fn glass(index: f32) -> Medium {
    Medium {
        permittivity: index * index,
        kept: 1.0,
    }
}

/// A standing wave beats with the frequency of Yee's scheme: sin(w / 2) = COURANT / index * sqrt(sin(p / 2)^2 + sin(q / 2)^2). Long waves have
/// the speed of light over the index.
#[test]
fn light_is_slower_in_glass() {
    for (index, [h, w], [p, q]) in [
        (1.0_f32, [1, 40], [0, 1]),
        (1.5, [36, 1], [1, 0]),
        (1.5, [3, 64], [0, 1]),
        (2.5, [20, 30], [1, 2]),
    ] {
        let [p, q] = [TAU * f64::from(p) / h as f64, TAU * f64::from(q) / w as f64];
        let wave = |[i, j]: [usize; 2]| (p * i as f64 + q * j as f64).cos();
        let mut light = Light::new(&device(), [h, w], |at| wave(at) as f32, |_| glass(index));
        let speed = f64::from(COURANT) / f64::from(index);
        let frequency = 2.0 * (speed * (0.5 * p).sin().hypot((0.5 * q).sin())).asin();
        assert!((frequency / (speed * p.hypot(q)) - 1.0).abs() < 0.015, "{frequency}");
        for step in 1..=200 {
            light.step();
            if step % 20 == 0 {
                let beat = (frequency * f64::from(step)).cos();
                for (at, got) in light.e.indexed_iter().unwrap() {
                    let expected = beat * wave(at);
                    let off = (f64::from(got) - expected).abs();
                    assert!(off < 1e-4, "{index}, step {step}, {at:?}: {got}, not {expected}");
                }
            }
        }
    }
}

/// What Yee's scheme conserves has the product of the magnetic fields before and after.
#[test]
fn energy_is_conserved() {
    let shape = [17, 23];
    let medium = |[i, j]: [usize; 2]| glass(1.0 + noise(23 * i + j));
    let mut light = Light::new(&device(), shape, |[i, j]| noise(23 * i + j + 4000) - 0.5, medium);
    let mut energies = Vec::new();
    for _ in 0..300 {
        let (e, before) = (light.e.to_vec().unwrap(), light.h.to_vec().unwrap());
        light.step();
        let after = light.h.to_vec().unwrap();
        let media = light.medium.to_vec().unwrap();
        let cells = e.iter().zip(&before).zip(&after).zip(&media);
        let energy = |(((e, before), after), medium): (((&f32, &Vec2), &Vec2), &Medium)| {
            f64::from(medium.permittivity) * f64::from(*e).powi(2) + f64::from(before.dot(*after))
        };
        energies.push(cells.map(energy).sum::<f64>());
    }
    for energy in &energies {
        assert!(
            (energy / energies[0] - 1.0).abs() < 1e-4,
            "{} became {energy}",
            energies[0]
        );
    }
    // And the rim takes it.
    let rim = |at: [usize; 2]| Medium {
        kept: 0.98,
        ..medium(at)
    };
    light.medium = Field::from_fn(&device(), shape, rim).unwrap();
    (0..300).for_each(|_| light.step());
    assert!(light.e.max().unwrap().unwrap() < 1e-2);
}

#[test]
fn a_beam_starts_evenly_to_both_sides() {
    let mut e = Field::zeros(&device(), [9, 5]).unwrap();
    shine(&mut e, 3, 4.0, 2.0, 0.5).unwrap();
    for ([i, j], got) in e.indexed_iter().unwrap() {
        let away = (i as f32 - 4.0) / 2.0;
        let expected = if j == 3 { 0.5 * 0.5_f32.powf(away * away) } else { 0.0 };
        assert!((got - expected).abs() < 1e-6, "{i}, {j}: {got}, not {expected}");
    }
}

#[test]
fn frames_on_both_devices() {
    let medium = |[i, j]: [usize; 2]| Medium {
        kept: if i < 3 { 0.95 } else { 1.0 },
        ..glass(1.0 + noise(29 * i + j))
    };
    let mut both = devices().map(|device| Light::new(&device, [19, 29], |_| 0.0, medium));
    for frame in 0..4 {
        for light in &mut both {
            for step in 0..5 {
                light.step();
                shine(&mut light.e, 4, 9.0, 3.0, 0.3 + 0.1 * step as f32).unwrap();
            }
        }
        let name = format!("frame {frame}");
        let [cpu, cuda] = both.each_ref().map(|light| light.e.to_vec().unwrap());
        same(&name, [&cpu, &cuda], |e| vec![*e], 1e-5);
        assert!(cpu.iter().any(|e| *e > 0.3));
        let [cpu, cuda] = both.each_ref().map(|light| light.h.to_vec().unwrap());
        same(&name, [&cpu, &cuda], |h| h.to_array().to_vec(), 1e-5);
    }
}
