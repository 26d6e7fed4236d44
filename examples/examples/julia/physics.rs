//! Complex numbers, and how fast the iteration z -> z^2 + c flees.

use std::ops::{Add, Mul};

use swathe::prelude::*;

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex {
    pub re: f32,
    pub im: f32,
}

#[func]
impl Complex {
    pub fn norm_squared(self) -> f32 {
        self.re * self.re + self.im * self.im
    }
}

#[func]
impl Add for Complex {
    type Output = Complex;

    fn add(self, other: Complex) -> Complex {
        Complex {
            re: self.re + other.re,
            im: self.im + other.im,
        }
    }
}

#[func]
impl Mul for Complex {
    type Output = Complex;

    fn mul(self, other: Complex) -> Complex {
        Complex {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}

/// Beyond this distance from 0 there is no way back for any |c| up to 16.
pub const FAR: f32 = 16.0;

/// How many steps `z` takes to leave the circle of radius [`FAR`], and where it is then; at most `limit`.
#[func]
pub fn escape(start: Complex, c: Complex, limit: u32) -> (u32, Complex) {
    let mut z = start;
    let mut steps = 0;
    while steps < limit && z.norm_squared() <= FAR * FAR {
        z = z * z + c;
        steps += 1;
    }
    (steps, z)
}

/// The part of the plane that a picture shows.
#[derive(Element, Clone, Copy, Debug)]
pub struct Window {
    pub center: Complex,
    /// Width of a pixel.
    pub pixel: f32,
}

/// The steps to escape at each pixel, with a fraction that makes them smooth; 0 inside the set.
#[kernel]
pub fn julia(steps: &mut Field<f32, 2>, window: Window, c: Complex, limit: u32) {
    let [h, w] = steps.shape();
    for [i, j] in steps.indices() {
        let offset = Complex {
            re: (j as f32 + 0.5 - 0.5 * w as f32) * window.pixel,
            im: (0.5 * h as f32 - i as f32 - 0.5) * window.pixel,
        };
        let (count, z) = escape(window.center + offset, c, limit);
        steps[[i, j]] = if count < limit {
            // Far out each step doubles the logarithm of the distance.
            count as f32 + 1.0 - (0.5 * z.norm_squared().ln() / FAR.ln()).log2()
        } else {
            0.0
        };
    }
}
