//! Where two arrays differ first.

use super::{at, note};
use crate::entry::kernels;
use crate::grid::Grid;
use crate::half::{Bf16, F16};

kernels! {
    "compare": differ(Differ { one: *mut u8, two: *mut u8, count: u64, first: *mut u64 });
    differ_u8 <u8>; differ_u16 <u16>; differ_u32 <u32>; differ_u64 <u64>; differ_f32 <f32>; differ_f64 <f64>;
    differ_f16 <F16>; differ_bf16 <Bf16>;
}

/// The least number of an element that differs goes to `first`, which keeps what it is if it is less. NaN differs from all.
#[inline(always)]
unsafe fn differ<T: PartialEq, G: Grid>(g: G, a: Differ) {
    g.each(a.count, |index: u64| {
        // SAFETY: by contract there are `count` elements.
        unsafe {
            if *at::<T>(a.one, index) != *at::<T>(a.two, index) {
                note(a.first, index);
            }
        }
    });
}
