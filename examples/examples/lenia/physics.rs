//! Lenia, a game of life with continuous states: B. W.-C. Chan, "Lenia: biology of artificial life" (2019).
//!
//! ```text
//! n = ring * u,   u(t + dt) = u(t) + dt (2 exp(-((n - mu) / sigma)² / 2) - 1), from 0 to 1
//! ```
//!
//! The ring has weights exp(4 - 1 / (r (1 - r))) at the distance r in radii, whose sum is 1. The plane is a torus.
//! Lengths are in cells.

use swathe::prelude::*;

/// What grows.
#[derive(Element, Clone, Copy, Debug)]
pub struct Growth {
    /// The mean of the ring where growth is the strongest.
    pub mu: f32,
    /// How far from it there is still growth.
    pub sigma: f32,
    /// Length of a step in time, in which growth is 1 at most.
    pub dt: f32,
}

/// Of the glider that Chan calls Orbium.
pub const GROWTH: Growth = Growth {
    mu: 0.15,
    sigma: 0.015,
    dt: 0.1,
};

#[func]
impl Growth {
    /// The rate at which a cell grows or, if negative, shrinks.
    pub fn rate(self, mean: f32) -> f32 {
        let off = (mean - self.mu) / self.sigma;
        2.0 * (-0.5 * off * off).exp() - 1.0
    }
}

/// A step from `old` to `new`. `ring` is a square of an odd side.
#[kernel]
pub fn live(old: &Field<f32, 2>, ring: &Field<f32, 2>, growth: Growth, new: &mut Field<f32, 2>) {
    let [h, w] = old.shape();
    let side = ring.shape()[0];
    let r = side as i32 / 2;
    for [i, j] in new.indices() {
        let mut mean = 0.0;
        for a in 0..side {
            for b in 0..side {
                mean += ring[[a, b]] * old[[i.periodic(a as i32 - r, h), j.periodic(b as i32 - r, w)]];
            }
        }
        new[[i, j]] = (old[[i, j]] + growth.dt * growth.rate(mean)).clamp(0.0, 1.0);
    }
}

/// The weights of the ring. The radius is 2 cells or more.
pub fn ring(device: &Device, radius: usize) -> swathe::Result<Field<f32, 2>> {
    let radius = radius.max(2);
    let weight = |[i, j]: [usize; 2]| {
        let [y, x] = [i, j].map(|k| k as f64 - radius as f64);
        let r = y.hypot(x) / radius as f64;
        match r > 0.0 && r < 1.0 {
            true => (4.0 - 1.0 / (r * (1.0 - r))).exp(),
            false => 0.0,
        }
    };
    let side = radius.saturating_mul(2).saturating_add(1);
    let weights = Field::from_fn(device, [side, side], weight)?;
    let sum: f64 = weights.sum()?;
    Field::from_fn(device, [side, side], |at| (weight(at) / sum) as f32)
}

/// A glider of radius 13, turned by quarters.
pub struct Orbium {
    /// Row and column of the corner where its square begins.
    pub at: [usize; 2],
    pub quarters: u32,
}

impl Orbium {
    /// The state that it gives a cell of a plane of this shape.
    pub fn state(&self, [i, j]: [usize; 2], [h, w]: [usize; 2]) -> f32 {
        let last = STATES.len() - 1;
        let [y, x] = [(i + h - self.at[0] % h) % h, (j + w - self.at[1] % w) % w];
        if y > last || x > last {
            return 0.0;
        }
        let [y, x] = match self.quarters % 4 {
            0 => [y, x],
            1 => [last - x, y],
            2 => [last - y, last - x],
            _ => [x, last - y],
        };
        let digit = char::from(STATES[y].as_bytes()[x]);
        digit.to_digit(16).unwrap_or(0) as f32 / 15.0
    }
}

/// What a disc with a hole off its middle has become after 600 steps. States in fifteenths.
const STATES: [&str; 20] = [
    "........3...........",
    ".........8..........",
    "......12339b........",
    "....12321111c5......",
    "..23231......57.....",
    "..2664........35....",
    "13345431.......33...",
    ".475225672.....141..",
    ".25532479a92...132..",
    ".22235569def931233..",
    "131..58aaceffb6443..",
    "131...8bedaacda753..",
    "13.....aefb9aba753..",
    ".31.....9ffbaa9742..",
    "582......7ddb98631..",
    "..d1.....16998642...",
    "...c4.....2566431...",
    "....662..1344421....",
    "......54434331......",
    "........1111........",
];
