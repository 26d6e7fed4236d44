//! Random floats, all equally likely.

use super::at;
use super::random::{Draw, words};
use crate::entry::kernels;
use crate::grid::Grid;

/// A float from 0 to 1 and on.
trait Range: Copy {
    fn between(words: [u32; 4], low: Self, high: Self) -> Self;
}

impl Range for f32 {
    #[inline(always)]
    fn between(words: [u32; 4], low: Self, high: Self) -> Self {
        let t = (u32::draw(words) >> 8) as f32 * 5.960_464_5e-8;
        low + (high - low) * t
    }
}

impl Range for f64 {
    #[inline(always)]
    fn between(words: [u32; 4], low: Self, high: Self) -> Self {
        let t = (u64::draw(words) >> 11) as f64 * 1.110_223_024_625_156_5e-16;
        low + (high - low) * t
    }
}

// Bounds are `f64` for both entries: one layout of arguments.
kernels! {
    "random": uniform(Uniform { to: *mut u8, count: u64, seed: u64, first: u64, low: f64, high: f64 });
    uniform_f32 <f32>; uniform_f64 <f64>;
}

/// Of a bound.
trait Narrow {
    fn narrow(bound: f64) -> Self;
}

impl Narrow for f32 {
    #[inline(always)]
    fn narrow(bound: f64) -> Self {
        bound as f32
    }
}

impl Narrow for f64 {
    #[inline(always)]
    fn narrow(bound: f64) -> Self {
        bound
    }
}

/// Element `i` is the first float of stream `first + i`, moved to `low..high`.
#[inline(always)]
unsafe fn uniform<T: Range + Narrow, G: Grid>(g: G, a: Uniform) {
    let (low, high) = (T::narrow(a.low), T::narrow(a.high));
    g.each(a.count, |index: u64| {
        let value = T::between(words(a.seed, a.first.wrapping_add(index)), low, high);
        // SAFETY: by contract there are `count` elements.
        unsafe { at::<T>(a.to, index).write(value) };
    });
}
