//! Where the least or the greatest item is, in which one thread has all items of a result.

use super::arg_reduce::{Max, Min, NONE, Order, better};
use super::at;
use super::reduce::Segments;
use crate::entry::kernels;
use crate::grid::Grid;
use crate::half::{Bf16, F16};
use crate::number::Number;

kernels! {
    "arg_fold": arg_fold(ArgFold { from: *mut u8, to: *mut u8, to_positions: *mut u64, segments: Segments });
    fold_argmin_i8 <Min, i8>; fold_argmin_i16 <Min, i16>; fold_argmin_i32 <Min, i32>; fold_argmin_i64 <Min, i64>;
    fold_argmin_u8 <Min, u8>; fold_argmin_u16 <Min, u16>; fold_argmin_u32 <Min, u32>; fold_argmin_u64 <Min, u64>;
    fold_argmin_f32 <Min, f32>; fold_argmin_f64 <Min, f64>; fold_argmax_i8 <Max, i8>; fold_argmax_i16 <Max, i16>;
    fold_argmax_i32 <Max, i32>; fold_argmax_i64 <Max, i64>; fold_argmax_u8 <Max, u8>; fold_argmax_u16 <Max, u16>;
    fold_argmax_u32 <Max, u32>; fold_argmax_u64 <Max, u64>; fold_argmax_f32 <Max, f32>; fold_argmax_f64 <Max, f64>;
    fold_argmin_f16 <Min, F16>; fold_argmin_bf16 <Min, Bf16>; fold_argmax_f16 <Max, F16>; fold_argmax_bf16 <Max, Bf16>;
}

/// Value and position for each segment; of a segment without items the position is `u64::MAX`.
#[inline(always)]
unsafe fn arg_fold<O: Order<T>, T: Number, G: Grid>(g: G, a: ArgFold) {
    g.each(a.segments.count, |segment| {
        let start = a.segments.start(segment);
        let mut best = (T::ZERO, NONE);
        let mut k = 0;
        while k < a.segments.length {
            let place = (start + k as i64 * a.segments.stride) as isize;
            // SAFETY: by contract the segment's items are there.
            best = better::<O, T>(best, (unsafe { *a.from.cast::<T>().offset(place) }, k));
            k += 1;
        }
        // SAFETY: by contract there is room for the results of all segments.
        unsafe {
            at::<T>(a.to, segment).write(best.0);
            *a.to_positions.add(segment as usize) = best.1;
        }
    });
}
