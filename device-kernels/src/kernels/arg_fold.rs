//! Where the least or the greatest item is, in which one thread has all items of a result, or of a part of them.

use super::arg_reduce::{Max, Min, Order, Part};
#[cfg(not(target_arch = "nvptx64"))]
use super::arg_reduce::{NONE, better};
use super::at;
use super::reduce::Segments;
use crate::entry::kernels;
use crate::grid::Grid;
#[cfg(not(target_arch = "nvptx64"))]
use crate::grid::Results;
use crate::half::{Bf16, F16};
use crate::number::Number;

kernels! {
    "arg_fold": arg_fold(ArgFold {
        from: *mut u8, positions: *mut u64, to: *mut u8, to_positions: *mut u64, segments: Segments, parts: u64, each: u64
    });
    fold_argmin_i8 <Min, i8>; fold_argmin_i16 <Min, i16>; fold_argmin_i32 <Min, i32>; fold_argmin_i64 <Min, i64>;
    fold_argmin_u8 <Min, u8>; fold_argmin_u16 <Min, u16>; fold_argmin_u32 <Min, u32>; fold_argmin_u64 <Min, u64>;
    fold_argmin_f32 <Min, f32>; fold_argmin_f64 <Min, f64>; fold_argmax_i8 <Max, i8>; fold_argmax_i16 <Max, i16>;
    fold_argmax_i32 <Max, i32>; fold_argmax_i64 <Max, i64>; fold_argmax_u8 <Max, u8>; fold_argmax_u16 <Max, u16>;
    fold_argmax_u32 <Max, u32>; fold_argmax_u64 <Max, u64>; fold_argmax_f32 <Max, f32>; fold_argmax_f64 <Max, f64>;
    fold_argmin_f16 <Min, F16>; fold_argmin_bf16 <Min, Bf16>; fold_argmax_f16 <Max, F16>; fold_argmax_bf16 <Max, Bf16>;
}

/// Value and position for each part of each segment, in the order of `fold`; of a segment without items the position is `u64::MAX`.
#[inline(always)]
unsafe fn arg_fold<O: Order<T>, T: Number, G: Grid>(g: G, a: ArgFold) {
    let s = a.segments;
    let part = |unit: u64| {
        // SAFETY: there is a unit, so there are parts, and by contract their items and positions.
        unsafe {
            let stretch = s.part_across(unit, a.parts, a.each);
            Part::<T>::of(stretch, s.stride, a.from, a.positions)
        }
    };
    #[cfg(not(target_arch = "nvptx64"))]
    if s.inner > 1 {
        return g.runs(s.count * a.parts, s.inner, |unit, run| {
            let part = part(unit);
            let (mut values, mut places) = (Results::uninit(), Results::uninit());
            let values = values.filled(run, |_| T::ZERO);
            let places = places.filled(run, |_| NONE);
            for k in 0..part.count {
                for (column, (value, place)) in values.iter_mut().zip(&mut *places).enumerate() {
                    // SAFETY: the neighbour's items are there, too.
                    let item = unsafe { part.beside(column as i64 * s.inner_stride).item(k) };
                    (*value, *place) = better::<O, T>((*value, *place), item);
                }
            }
            // SAFETY: by contract there is room for the results of all units.
            unsafe {
                at::<T>(a.to, unit).copy_from_nonoverlapping(values.as_ptr(), run);
                let positions = a.to_positions.add(unit as usize);
                positions.copy_from_nonoverlapping(places.as_ptr(), run);
            }
        });
    }
    g.each(s.count * a.parts, |unit| {
        // SAFETY: by contract there is room for the results of all units.
        unsafe {
            let best = part(unit).best::<O>(0, 1);
            at::<T>(a.to, unit).write(best.0);
            *a.to_positions.add(unit as usize) = best.1;
        }
    });
}
