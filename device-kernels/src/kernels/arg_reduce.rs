//! Where the least or the greatest item is.

use super::reduce::Segments;
use super::{at, split};
use crate::entry::kernels;
use crate::grid::Grid;
use crate::half::{Bf16, F16};
use crate::number::Number;

/// Which of two values is wanted more.
pub(super) trait Order<T> {
    fn beats(a: T, b: T) -> bool;
}

pub(super) struct Min;
pub(super) struct Max;

impl<T: Number> Order<T> for Min {
    #[inline(always)]
    fn beats(a: T, b: T) -> bool {
        a < b || (b.is_nan() && !a.is_nan())
    }
}

impl<T: Number> Order<T> for Max {
    #[inline(always)]
    fn beats(a: T, b: T) -> bool {
        a > b || (b.is_nan() && !a.is_nan())
    }
}

// `positions` are those of the items, null if they are their numbers in the segment.
kernels! {
    "arg": arg_reduce(ArgReduce {
        from: *mut u8, positions: *mut u64, to: *mut u8, to_positions: *mut u64, segments: Segments, parts: u64
    });
    argmin_i8 <Min, i8>; argmin_i16 <Min, i16>; argmin_i32 <Min, i32>; argmin_i64 <Min, i64>; argmin_u8 <Min, u8>;
    argmin_u16 <Min, u16>; argmin_u32 <Min, u32>; argmin_u64 <Min, u64>; argmin_f32 <Min, f32>; argmin_f64 <Min, f64>;
    argmax_i8 <Max, i8>; argmax_i16 <Max, i16>; argmax_i32 <Max, i32>; argmax_i64 <Max, i64>; argmax_u8 <Max, u8>;
    argmax_u16 <Max, u16>; argmax_u32 <Max, u32>; argmax_u64 <Max, u64>; argmax_f32 <Max, f32>; argmax_f64 <Max, f64>;
    argmin_f16 <Min, F16>; argmin_bf16 <Min, Bf16>; argmax_f16 <Max, F16>; argmax_bf16 <Max, Bf16>;
}

/// No item.
pub(super) const NONE: u64 = u64::MAX;

/// The better of two items, the first of those that are equal.
#[inline(always)]
pub(super) fn better<O: Order<T>, T: Number>(a: (T, u64), b: (T, u64)) -> (T, u64) {
    let take = b.1 != NONE && (a.1 == NONE || O::beats(b.0, a.0) || (!O::beats(a.0, b.0) && b.1 < a.1));
    if take { b } else { a }
}

/// Values and positions of each of `parts` parts of each segment; of a segment without items the position is
/// `u64::MAX`. Shared memory holds an item and a position for each thread, of which there is a power of two.
#[inline(always)]
unsafe fn arg_reduce<O: Order<T>, T: Number, G: Grid>(g: G, a: ArgReduce) {
    let places = g.shared().cast::<u64>();
    // SAFETY: behind the positions of all threads.
    let values = unsafe { places.add(g.threads() as usize) }.cast::<T>();
    let threads = g.threads() as u64;
    let mut unit = g.block() as u64;
    while unit < a.segments.count * a.parts {
        let (segment, part) = if a.parts == 1 {
            (unit, 0)
        } else {
            // SAFETY: there is a unit, so there are parts.
            unsafe { split(unit, a.parts) }
        };
        let start = a.segments.start(segment);
        g.phase(|thread| {
            let mut best = (T::ZERO, NONE);
            let mut k = part * threads + thread as u64;
            while k < a.segments.length {
                let place = (start + k as i64 * a.segments.stride) as isize;
                // SAFETY: by contract the segment's items are there, and their positions.
                let item = unsafe {
                    let position = if a.positions.is_null() {
                        k
                    } else {
                        *a.positions.offset(place)
                    };
                    (*a.from.cast::<T>().offset(place), position)
                };
                best = better::<O, T>(best, item);
                k += a.parts * threads;
            }
            // SAFETY: there are an item and a position for each thread.
            unsafe {
                *values.add(thread as usize) = best.0;
                *places.add(thread as usize) = best.1;
            }
        });
        let mut half = g.threads() / 2;
        while half > 0 {
            g.phase(|thread| {
                let (one, two) = (thread as usize, (thread + half) as usize);
                if thread < half {
                    // SAFETY: both are of threads.
                    unsafe {
                        let best = better::<O, T>(
                            (*values.add(one), *places.add(one)),
                            (*values.add(two), *places.add(two)),
                        );
                        *values.add(one) = best.0;
                        *places.add(one) = best.1;
                    }
                }
            });
            half /= 2;
        }
        g.phase(|thread| {
            if thread == 0 {
                // SAFETY: by contract there is room for the results of all units.
                unsafe {
                    at::<T>(a.to, unit).write(*values);
                    *a.to_positions.add(unit as usize) = *places;
                }
            }
        });
        unit += g.blocks() as u64;
    }
}
