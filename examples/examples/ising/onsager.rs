//! The exact solution for an infinite lattice: L. Onsager, "Crystal statistics" (1944); C. N. Yang, "The spontaneous magnetization of a
//! two-dimensional Ising model" (1952).

use std::f64::consts::PI;

/// The temperature below which an infinite lattice is a magnet: 2 / ln(1 + sqrt(2)).
pub const CRITICAL: f64 = 2.269_185_314_213_022;

/// The magnetisation per spin: (1 - sinh(2 / T)^-4)^(1/8), and 0 above the critical temperature.
pub fn magnetisation(temperature: f64) -> f64 {
    if temperature >= CRITICAL {
        return 0.0;
    }
    (1.0 - (2.0 / temperature).sinh().powi(-4)).powf(0.125)
}

/// The energy per spin: -coth(2 / T) (1 + 2 / pi (2 tanh(2 / T)^2 - 1) K(k)), where k = 2 sinh(2 / T) / cosh(2 / T)^2.
pub fn energy(temperature: f64) -> f64 {
    let tanh = (2.0 / temperature).tanh();
    let complement = 2.0 * tanh * tanh - 1.0;
    // The complete elliptic integral of the first kind is pi / 2 over the arithmetic-geometric mean of 1 and sqrt(1 - k^2).
    let (mut a, mut g) = (1.0, complement.abs());
    for _ in 0..20 {
        (a, g) = (0.5 * (a + g), f64::sqrt(a * g));
    }
    let k = 0.5 * PI / a;
    -(1.0 + 2.0 / PI * complement * k) / tanh
}
