//! A model that is fitted to measurements.

#[path = "../../../examples/examples/fit/physics.rs"]
pub mod physics;

use physics::{Decay, light, misfit};
use swathe::derivative::{Adam, value_and_gradient};
use swathe::prelude::*;

use crate::devices::devices;

#[test]
fn finds_what_was_measured_on_both_devices() {
    let truth = |d: usize| Decay {
        amplitude: (0.6 + 0.2 * d as f32).ln(),
        life: (0.5 + 0.4 * d as f32).ln(),
        rest: 0.03 * d as f32,
    };
    for (device, rounds) in devices().iter().zip([1200, 5]) {
        let measured = Field::from_fn(device, [7, 60], |[d, k]| light(truth(d), k as f32 * 0.1)).unwrap();
        let start = Decay {
            amplitude: 0.0,
            life: 0.0,
            rest: 0.0,
        };
        let mut decays = Field::full(device, 7, start).unwrap();
        let mut adam = Adam::new(0.02);
        let mut losses = Vec::new();
        for _ in 0..rounds {
            let (loss, gradients) =
                value_and_gradient([decays.source()], || misfit(&decays, &measured, 0.1).map(drop)).unwrap();
            adam.step(&mut decays, &gradients).unwrap();
            losses.push(loss);
        }
        assert!(losses[rounds - 1] < losses[0], "{losses:?}");
        if rounds > 1000 {
            for (d, found) in decays.to_vec().unwrap().iter().enumerate() {
                let expected = truth(d);
                assert!(
                    (found.life - expected.life).abs() < 0.02,
                    "{d}: {found:?}, not {expected:?}"
                );
                assert!(
                    (found.amplitude - expected.amplitude).abs() < 0.02,
                    "{d}: {found:?}, not {expected:?}"
                );
                assert!(
                    (found.rest - expected.rest).abs() < 0.02,
                    "{d}: {found:?}, not {expected:?}"
                );
            }
        }
    }
}
