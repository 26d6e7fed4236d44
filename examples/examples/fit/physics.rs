//! Light that fades: what a model says of it, and how far that is from what was measured.

use swathe::prelude::*;

/// A decay, `amplitude * exp(-t / life) + rest`, by logarithms of what cannot be negative.
#[derive(Element, Clone, Copy, Debug)]
#[element(Differentiable)]
pub struct Decay {
    /// Logarithm of the amplitude.
    pub amplitude: f32,
    /// Logarithm of the life time, in nanoseconds.
    pub life: f32,
    /// What light does not fade.
    pub rest: f32,
}

/// Light at a time, in nanoseconds.
#[func(grad)]
pub fn light(decay: Decay, time: f32) -> f32 {
    decay.amplitude.exp() * (-time / decay.life.exp()).exp() + decay.rest
}

/// The squared distance of all decays from what was measured, for each sample; a row of `measured` for each decay, a column for each `dt` nanoseconds.
#[kernel(grad)]
pub fn misfit(decays: &Field<Decay>, measured: &Field<f32, 2>, dt: f32) -> f32 {
    let mut sum = 0.0;
    for d in decays.indices() {
        for k in 0..measured.shape()[1] {
            let distance = light(decays[d], k as f32 * dt) - measured[[d, k]];
            sum += distance * distance / measured.len() as f32;
        }
    }
    sum
}
