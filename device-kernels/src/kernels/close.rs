//! Where two arrays of floats are not close first.

use super::{at, note};
use crate::entry::kernels;
use crate::grid::Grid;
use crate::half::{Bf16, F16, Half};

/// A float that is compared as `f64`.
trait Wide: Copy {
    fn wide(self) -> f64;
}

impl Wide for f32 {
    #[inline(always)]
    fn wide(self) -> f64 {
        self as f64
    }
}

impl Wide for f64 {
    #[inline(always)]
    fn wide(self) -> f64 {
        self
    }
}

impl Wide for F16 {
    #[inline(always)]
    fn wide(self) -> f64 {
        Half::wide(self) as f64
    }
}

impl Wide for Bf16 {
    #[inline(always)]
    fn wide(self) -> f64 {
        Half::wide(self) as f64
    }
}

kernels! {
    "compare": close(Close {
        one: *mut u8, two: *mut u8, count: u64, relative: f64, absolute: f64, equal_nan: u32, first: *mut u64
    });
    close_f32 <f32>; close_f64 <f64>; close_f16 <F16>; close_bf16 <Bf16>;
}

/// Are they equal, or is `|a - b| <= absolute + relative * |b|` with both finite?
#[inline(always)]
fn is_close(a: f64, b: f64, relative: f64, absolute: f64, equal_nan: bool) -> bool {
    let bits = |x: f64| f64::from_bits(x.to_bits() & !(1 << 63));
    let near = bits(a - b) <= absolute + relative * bits(b) && bits(a - b) < f64::INFINITY;
    a == b || near && bits(b) < f64::INFINITY || equal_nan && a.is_nan() && b.is_nan()
}

/// The least number of an element that is not close goes to `first`, which keeps what it is if it is less.
#[inline(always)]
unsafe fn close<T: Wide, G: Grid>(g: G, a: Close) {
    g.each(a.count, |index: u64| {
        // SAFETY: by contract there are `count` elements.
        unsafe {
            let (one, two) = ((*at::<T>(a.one, index)).wide(), (*at::<T>(a.two, index)).wide());
            if !is_close(one, two, a.relative, a.absolute, a.equal_nan != 0) {
                note(a.first, index);
            }
        }
    });
}
