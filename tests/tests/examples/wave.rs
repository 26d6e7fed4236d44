//! A wave whose start is found by derivatives.

#[path = "../../../examples/examples/wave/physics.rs"]
pub mod physics;
#[path = "../../../examples/examples/wave/search.rs"]
mod search;

use swathe::derivative::Budget;
use swathe::prelude::*;

use crate::devices::devices;
use crate::{noise, same};

/// The distance is a polynomial of second degree, of which central differences of any width are the derivative.
#[test]
fn derivative_on_both_devices() {
    let (shape, steps) = ([11, 17], 23);
    let noisy = |salt: usize| move |[i, j]: [usize; 2]| noise(i * 17 + j + salt) - 0.5;
    let gradients = devices().map(|device| {
        let picture = Field::from_fn(&device, shape, noisy(1000)).unwrap();
        let mut start = Field::from_fn(&device, shape, noisy(0)).unwrap();
        let budget = Budget::states(4);
        let (_, mut found) = search::gradient(&start, &picture, steps, budget).unwrap();
        let gradient = found.take(&start).unwrap();
        for at in [[0, 0], [3, 16], [5, 8], [10, 2]] {
            let here = start.get(at).unwrap();
            let [above, below] = [1.0, -1.0].map(|by| {
                start.set(at, here + by).unwrap();
                search::gradient(&start, &picture, steps, budget).unwrap().0
            });
            start.set(at, here).unwrap();
            let (got, expected) = (f64::from(gradient.get(at).unwrap()), 0.5 * (above - below));
            assert!((got - expected).abs() < 1e-3, "{at:?}: {got}, not {expected}");
        }
        gradient.to_vec().unwrap()
    });
    same("gradient", [&gradients[0], &gradients[1]], |g| vec![*g], 1e-4);
}

#[test]
fn converges() {
    let picture = Field::from_fn(&Device::cpu(), [33, 41], |[i, j]| {
        let [y, x] = [(i as f32 - 14.0) / 5.0, (j as f32 - 25.0) / 5.0];
        (-x * x - y * y).exp()
    });
    let mut search = search::Search::new(picture.unwrap(), 50).unwrap();
    let losses: Vec<f64> = (0..60).map(|_| search.round().unwrap()).collect();
    assert!(losses[59] < 0.05 * losses[0], "{losses:?}");
}
