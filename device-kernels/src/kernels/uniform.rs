//! Random floats, all equally likely.

use super::at;
use super::random::{Draw, words};
use crate::entry::kernels;
use crate::grid::Grid;
use crate::half::{Bf16, F16, Half};

/// A float of a range, and the float that its bounds are computed with. Where the distance of the bounds is beyond all numbers, each bound has its part.
trait Float: Copy {
    type Bound: Copy;

    fn bound(value: f64) -> Self::Bound;
    fn between(words: [u32; 4], low: Self::Bound, high: Self::Bound) -> Self;
}

impl Float for f32 {
    type Bound = f32;

    #[inline(always)]
    fn bound(value: f64) -> f32 {
        value as f32
    }

    #[inline(always)]
    fn between(words: [u32; 4], low: f32, high: f32) -> Self {
        let t = (u32::draw(words) >> 8) as f32 * 5.960_464_5e-8;
        let distance = high - low;
        if distance.abs() < f32::INFINITY {
            low + distance * t
        } else {
            low * (1.0 - t) + high * t
        }
    }
}

impl Float for f64 {
    type Bound = f64;

    #[inline(always)]
    fn bound(value: f64) -> f64 {
        value
    }

    #[inline(always)]
    fn between(words: [u32; 4], low: f64, high: f64) -> Self {
        let t = (u64::draw(words) >> 11) as f64 * 1.110_223_024_625_156_5e-16;
        let distance = high - low;
        if distance.abs() < f64::INFINITY {
            low + distance * t
        } else {
            low * (1.0 - t) + high * t
        }
    }
}

macro_rules! half {
    ($($t:ident)*) => {$(
        impl Float for $t {
            type Bound = f32;

            #[inline(always)]
            fn bound(value: f64) -> f32 {
                value as f32
            }

            #[inline(always)]
            fn between(words: [u32; 4], low: f32, high: f32) -> Self {
                Half::narrow(f32::between(words, low, high))
            }
        }
    )*};
}
half!(F16 Bf16);

// Bounds are `f64` for all entries: one layout of arguments.
kernels! {
    "random": uniform(Uniform { to: *mut u8, count: u64, seed: u64, first: u64, low: f64, high: f64 });
    uniform_f32 <f32>; uniform_f64 <f64>; uniform_f16 <F16>; uniform_bf16 <Bf16>;
}

/// Element `i` is the first float of stream `first + i`, moved to `low..high`.
#[inline(always)]
unsafe fn uniform<T: Float, G: Grid>(g: G, a: Uniform) {
    let (low, high) = (T::bound(a.low), T::bound(a.high));
    g.each(a.count, |index: u64| {
        let value = T::between(words(a.seed, a.first.wrapping_add(index)), low, high);
        // SAFETY: by contract there are `count` elements.
        unsafe { at::<T>(a.to, index).write(value) };
    });
}
