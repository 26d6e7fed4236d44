//! Floats at equal distances.

use super::at;
use crate::entry::kernels;
use crate::grid::Grid;
use crate::half::{Bf16, F16, Half};

/// One of the floats.
trait Float {
    fn of(value: f64) -> Self;
}

impl Float for f32 {
    #[inline(always)]
    fn of(value: f64) -> Self {
        value as f32
    }
}

impl Float for f64 {
    #[inline(always)]
    fn of(value: f64) -> Self {
        value
    }
}

impl Float for F16 {
    #[inline(always)]
    fn of(value: f64) -> Self {
        Half::narrow(value as f32)
    }
}

impl Float for Bf16 {
    #[inline(always)]
    fn of(value: f64) -> Self {
        Half::narrow(value as f32)
    }
}

kernels! {
    "sequence": linspace(Linspace { to: *mut u8, count: u64, start: f64, step: f64, last: f64 });
    linspace_f32 <f32>; linspace_f64 <f64>; linspace_f16 <F16>; linspace_bf16 <Bf16>;
}

/// Element `i` is `start + i * step`, computed in `f64`; the last one is `last`.
#[inline(always)]
unsafe fn linspace<T: Float, G: Grid>(g: G, a: Linspace) {
    g.each(a.count, |index: u64| {
        let value = if index + 1 == a.count {
            a.last
        } else {
            a.start + index as f64 * a.step
        };
        // SAFETY: by contract there are `count` elements.
        unsafe { at::<T>(a.to, index).write(T::of(value)) };
    });
}
