//! Prefix sums of tiles.

use super::{at, split};
use crate::entry::kernels;
use crate::grid::Grid;
use crate::number::Number;

/// Items of a thread.
pub(crate) const EACH: u32 = 4;

// `sums` takes the sum of each tile, null if nobody wants them.
kernels! {
    "scan": scan(Scan { from: *mut u8, to: *mut u8, sums: *mut u8, segments: u64, length: u64, inclusive: u32 });
    scan_u8 <u8>; scan_u16 <u16>; scan_u32 <u32>; scan_u64 <u64>; scan_f32 <f32>; scan_f64 <f64>;
}

/// The prefix sums within each tile of [`EACH`] items for each thread, of `segments` rows of `length` items; `from` may be `to`. Shared memory holds the items of
/// a tile, and two sums for each thread.
#[inline(always)]
unsafe fn scan<T: Number, G: Grid>(g: G, a: Scan) {
    let threads = g.threads();
    let tile = threads * EACH;
    let items = g.shared().cast::<T>();
    // SAFETY: the sums are behind the items, in two rows.
    let sums = unsafe { items.add(tile as usize) };
    // SAFETY: a row or a tile of shared memory has a place for each.
    let get = |place: *mut T, k: u32| unsafe { *place.add(k as usize) };
    // SAFETY: as above.
    let set = |place: *mut T, k: u32, value: T| unsafe { *place.add(k as usize) = value };
    let tiles = a.length.div_ceil(tile as u64);
    g.units(tiles * a.segments, |number| {
        let (segment, first) = if a.segments == 1 {
            (0, number)
        } else {
            // SAFETY: there is a tile of this number.
            unsafe { split(number, tiles) }
        };
        let first = first * tile as u64;
        let base = segment * a.length + first;
        let here = (a.length - first).min(tile as u64) as u32;
        // Threads that have items.
        let used = here.div_ceil(EACH);
        g.phase(|thread| {
            let mut k = thread;
            while k < used * EACH {
                let item = if k < here {
                    // SAFETY: below `here` there are items.
                    unsafe { *at::<T>(a.from, base + k as u64) }
                } else {
                    T::ZERO
                };
                set(items, k, item);
                k += threads;
            }
        });
        g.phase_of(used, |thread| {
            let mut sum = T::ZERO;
            let mut k = 0;
            while k < EACH {
                sum = sum.plus(get(items, thread * EACH + k));
                k += 1;
            }
            set(sums, thread, sum);
        });
        let (mut distance, mut row) = (1, 0);
        while distance < used {
            g.phase_of(used, |thread| {
                let mut sum = get(sums, row + thread);
                if thread >= distance {
                    sum = get(sums, row + thread - distance).plus(sum);
                }
                set(sums, threads - row + thread, sum);
            });
            row = threads - row;
            distance *= 2;
        }
        g.phase_of(used, |thread| {
            let mut sum = if thread > 0 {
                get(sums, row + thread - 1)
            } else {
                T::ZERO
            };
            let mut k = 0;
            while k < EACH {
                let next = sum.plus(get(items, thread * EACH + k));
                set(items, thread * EACH + k, if a.inclusive != 0 { next } else { sum });
                sum = next;
                k += 1;
            }
        });
        g.phase(|thread| {
            let mut k = thread;
            while k < here {
                // SAFETY: below `here` there is room for the results.
                unsafe { at::<T>(a.to, base + k as u64).write(get(items, k)) };
                k += threads;
            }
            if thread == 0 && !a.sums.is_null() {
                // SAFETY: there is room for the sums of all tiles.
                unsafe { at::<T>(a.sums, number).write(get(sums, row + used - 1)) };
            }
        });
    });
}
