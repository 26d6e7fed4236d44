//! Prefix sums in which one thread has all items of a lane: many lanes, or short ones.

use super::reduce::Segments;
use crate::entry::kernels;
use crate::grid::Grid;
use crate::number::Number;

kernels! {
    "scan": scan_fold(ScanFold { from: *mut u8, to: *mut u8, segments: Segments, inclusive: u32 });
    scan_fold_u8 <u8>; scan_fold_u16 <u16>; scan_fold_u32 <u32>; scan_fold_u64 <u64>; scan_fold_f32 <f32>;
    scan_fold_f64 <f64>;
}

/// Items and sums of a lane have the same places; `from` may be `to`.
#[inline(always)]
unsafe fn scan_fold<T: Number, G: Grid>(g: G, a: ScanFold) {
    g.each(a.segments.count, |segment| {
        let start = a.segments.start(segment);
        let mut sum = T::ZERO;
        let mut k = 0;
        while k < a.segments.length {
            let place = (start + k as i64 * a.segments.stride) as isize;
            // SAFETY: by contract the segment's items are there, and room for as many sums.
            unsafe {
                let next = sum.plus(*a.from.cast::<T>().offset(place));
                *a.to.cast::<T>().offset(place) = if a.inclusive != 0 { next } else { sum };
                sum = next;
            }
            k += 1;
        }
    });
}
