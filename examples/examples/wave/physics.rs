//! Waves on a pond whose walls reflect them: the equation u'' = c^2 (u_xx + u_yy), by the leapfrog scheme.

use swathe::prelude::*;

/// One step. `before` is the surface a step ago, and holds the next one afterwards.
///
/// `courant` is the square of c dt / dx, for a wave of speed c: at most 1/2.
#[kernel(grad)]
pub fn ripple(now: &Field<f32, 2>, before: &mut Field<f32, 2>, courant: f32) {
    let [h, w] = now.shape();
    for [i, j] in before.indices() {
        let up = if i > 0 { i - 1 } else { i };
        let down = if i + 1 < h { i + 1 } else { i };
        let left = if j > 0 { j - 1 } else { j };
        let right = if j + 1 < w { j + 1 } else { j };
        let c = now[[i, j]];
        let laplacian = now[[up, j]] + now[[down, j]] + now[[i, left]] + now[[i, right]] - 4.0 * c;
        before[[i, j]] = 2.0 * c - before[[i, j]] + courant * laplacian;
    }
}

/// Half of the squared distance from a picture.
#[kernel(grad)]
pub fn distance(surface: &Field<f32, 2>, picture: &Field<f32, 2>) -> f32 {
    let mut sum = 0.0;
    for at in surface.indices() {
        let d = surface[at] - picture[at];
        sum += 0.5 * d * d;
    }
    sum
}
