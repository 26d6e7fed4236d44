//! Prefix sums in which one thread has all items of a lane, or of a part of one: lanes that are neighbours, or short.

use super::at;
use super::reduce::{Segments, Stretch};
use crate::entry::kernels;
use crate::grid::Grid;
use crate::number::Number;

// `starts` has what stands before each part of each lane, null if that is nothing.
kernels! {
    "scan": scan_fold(ScanFold {
        from: *mut u8, to: *mut u8, starts: *mut u8, segments: Segments, parts: u64, each: u64, inclusive: u32
    });
    scan_fold_u8 <u8>; scan_fold_u16 <u16>; scan_fold_u32 <u32>; scan_fold_u64 <u64>; scan_fold_f32 <f32>;
    scan_fold_f64 <f64>;
}

/// Items and sums of a lane have the same places; `from` may be `to`.
#[inline(always)]
unsafe fn scan_fold<T: Number, G: Grid>(g: G, a: ScanFold) {
    let s = a.segments;
    // SAFETY: there is a unit, so there are parts.
    let part = |unit: u64| unsafe { s.part_across(unit, a.parts, a.each) };
    let before = |unit: u64| match a.starts.is_null() {
        true => T::ZERO,
        // SAFETY: by contract there is one for each unit.
        false => unsafe { *at::<T>(a.starts, unit) },
    };
    #[cfg(not(target_arch = "nvptx64"))]
    if s.inner > 1 {
        return g.runs(s.count * a.parts, s.inner, |unit, run| {
            let Stretch { start, count, .. } = part(unit);
            // Sums of their own: LLVM need not ask whether they overlap with items.
            let mut memory = crate::grid::Results::uninit();
            let sums = memory.filled(run, |k| before(unit + k as u64));
            for k in 0..count {
                let place = (start + k as i64 * s.stride) as isize;
                // SAFETY: by contract the items are there, and room for as many sums.
                unsafe {
                    let (from, to) = (a.from.cast::<T>().offset(place), a.to.cast::<T>().offset(place));
                    match s.inner_stride {
                        1 => row(sums, from, to, 1, a.inclusive != 0),
                        across => row(sums, from, to, across as isize, a.inclusive != 0),
                    }
                }
            }
        });
    }
    g.each(s.count * a.parts, |unit| {
        let Stretch { start, count, .. } = part(unit);
        let mut sum = before(unit);
        let mut k = 0;
        while k < count {
            let place = (start + k as i64 * s.stride) as isize;
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

/// An item of each of some neighbours, `across` apart, added to its sum.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
unsafe fn row<T: Number>(sums: &mut [T], from: *const T, to: *mut T, across: isize, inclusive: bool) {
    for (k, sum) in sums.iter_mut().enumerate() {
        let place = k as isize * across;
        // SAFETY: by contract the item is there, and room for its sum.
        unsafe {
            let next = sum.plus(*from.offset(place));
            *to.offset(place) = if inclusive { next } else { *sum };
            *sum = next;
        }
    }
}
