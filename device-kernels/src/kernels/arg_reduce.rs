//! Where the least or the greatest item is.

use super::at;
use super::reduce::{Segments, Stretch};
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
        from: *mut u8, positions: *mut u64, to: *mut u8, to_positions: *mut u64, segments: Segments, parts: u64, each: u64
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

/// Items of a segment, or of a part of one.
pub(super) struct Part<T> {
    /// The first.
    pub from: *const T,
    /// Its position, null if positions are numbers.
    pub positions: *const u64,
    /// Its number.
    pub first: u64,
    /// From one to the next.
    pub stride: i64,
    pub count: u64,
}

impl<T: Number> Part<T> {
    /// # Safety
    /// The part's items are there, and a position of each if `positions` is not null.
    #[inline(always)]
    pub unsafe fn of(stretch: Stretch, stride: i64, from: *mut u8, positions: *mut u64) -> Part<T> {
        let Stretch { start, first, count } = stretch;
        // SAFETY: by contract.
        unsafe {
            Part {
                from: from.cast::<T>().offset(start as isize),
                positions: match positions.is_null() {
                    true => positions,
                    false => positions.offset(start as isize),
                },
                first,
                stride,
                count,
            }
        }
    }

    /// The part that begins so many items further on.
    #[cfg(not(target_arch = "nvptx64"))]
    #[inline(always)]
    pub unsafe fn beside(&self, items: i64) -> Part<T> {
        // SAFETY: by contract it is there.
        unsafe {
            Part {
                from: self.from.offset(items as isize),
                positions: match self.positions.is_null() {
                    true => self.positions,
                    false => self.positions.offset(items as isize),
                },
                ..*self
            }
        }
    }

    #[inline(always)]
    pub unsafe fn item(&self, k: u64) -> (T, u64) {
        let place = (k as i64 * self.stride) as isize;
        // SAFETY: by contract there is such an item, and a position of it.
        unsafe {
            let position = match self.positions.is_null() {
                true => self.first + k,
                false => *self.positions.offset(place),
            };
            (*self.from.offset(place), position)
        }
    }

    /// The best of the items with numbers `first`, `first + step`, ..
    #[inline(always)]
    pub unsafe fn best<O: Order<T>>(&self, first: u64, step: u64) -> (T, u64) {
        #[cfg(not(target_arch = "nvptx64"))]
        if step == 1 && self.positions.is_null() {
            // SAFETY: by contract.
            return unsafe {
                match self.stride {
                    1 => self.first_best::<O>(|k| *self.from.add(k as usize)),
                    stride => self.first_best::<O>(|k| *self.from.offset((k as i64 * stride) as isize)),
                }
            };
        }
        let mut best = (T::ZERO, NONE);
        let mut k = first;
        while k < self.count {
            // SAFETY: there is such an item.
            best = better::<O, T>(best, unsafe { self.item(k) });
            k += step;
        }
        best
    }

    /// The best of all items: the best value of some neighbours, which vectors find, and where it is only if it is better than those before.
    #[cfg(not(target_arch = "nvptx64"))]
    #[inline(always)]
    unsafe fn first_best<O: Order<T>>(&self, item: impl Fn(u64) -> T) -> (T, u64) {
        const WIDTH: u64 = 64;
        let pick = |a, b| if O::beats(b, a) { b } else { a };
        let mut best = (T::ZERO, NONE);
        for first in (0..self.count).step_by(64 * WIDTH as usize) {
            let end = self.count.min(first + 64 * WIDTH);
            let mut all = [item(first); WIDTH as usize];
            let mut k = first;
            while k + WIDTH <= end {
                for (one, k) in all.iter_mut().zip(k..) {
                    *one = pick(*one, item(k));
                }
                k += WIDTH;
            }
            let value = (k..end).fold(all.into_iter().fold(item(first), pick), |one, k| pick(one, item(k)));
            if best.1 == NONE || O::beats(value, best.0) {
                let mut found = first..end;
                if let Some(k) = found.find(|k| !O::beats(value, item(*k))) {
                    best = (item(k), self.first + k);
                }
            }
        }
        best
    }
}
/// Values and positions of each of `parts` parts of each segment, of `each` items; of a segment without items the position is
/// `u64::MAX`. Shared memory holds an item and a position for each thread, of which there is a power of two.
#[inline(always)]
unsafe fn arg_reduce<O: Order<T>, T: Number, G: Grid>(g: G, a: ArgReduce) {
    let places = g.shared().cast::<u64>();
    // SAFETY: behind the positions of all threads.
    let values = unsafe { places.add(g.threads() as usize) }.cast::<T>();
    g.units(a.segments.count * a.parts, |unit| {
        // SAFETY: there is a unit, so there are parts, and by contract their items and positions.
        let part = unsafe {
            let stretch = a.segments.part_in_row(unit, a.parts, a.each);
            Part::<T>::of(stretch, a.segments.stride, a.from, a.positions)
        };
        // A host's only thread looks at neighbours.
        let threads = if cfg!(target_arch = "nvptx64") {
            part.count.clamp(1, g.threads() as u64)
        } else {
            1
        };
        g.phase_of(threads as u32, |thread| {
            // SAFETY: as above, and there is room for an item and a position of each thread.
            unsafe {
                let best = part.best::<O>(thread as u64, threads);
                *values.add(thread as usize) = best.0;
                *places.add(thread as usize) = best.1;
            }
        });
        let mut half = (threads as u32).next_power_of_two() / 2;
        while half > 0 {
            let others = (threads as u32).saturating_sub(half).min(half);
            g.phase_of(others, |thread| {
                let (one, two) = (thread as usize, (thread + half) as usize);
                // SAFETY: both are of threads.
                unsafe {
                    let best = better::<O, T>(
                        (*values.add(one), *places.add(one)),
                        (*values.add(two), *places.add(two)),
                    );
                    *values.add(one) = best.0;
                    *places.add(one) = best.1;
                }
            });
            half /= 2;
        }
        g.phase_of(1, |_| {
            // SAFETY: by contract there is room for the results of all units.
            unsafe {
                at::<T>(a.to, unit).write(*values);
                *a.to_positions.add(unit as usize) = *places;
            }
        });
    });
}
