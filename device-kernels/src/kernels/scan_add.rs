//! What stands before a tile, added to its prefix sums.

use super::{at, split};
use crate::entry::kernels;
use crate::grid::Grid;
use crate::number::Number;

kernels! {
    "scan": scan_add(ScanAdd { to: *mut u8, sums: *mut u8, segments: u64, length: u64, tile: u32, tiles: u64 });
    scan_add_u8 <u8>; scan_add_u16 <u16>; scan_add_u32 <u32>; scan_add_u64 <u64>; scan_add_f32 <f32>;
    scan_add_f64 <f64>;
}

/// `tile` is a power of two; a row of `length` items has `tiles` of them.
#[inline(always)]
unsafe fn scan_add<T: Number, G: Grid>(g: G, a: ScanAdd) {
    let shift = a.tile.trailing_zeros() as u64;
    g.each(a.segments * a.length, |index: u64| {
        let (segment, k) = if a.segments == 1 {
            (0, index)
        } else {
            // SAFETY: there is an item, so rows are not empty.
            unsafe { split(index, a.length) }
        };
        // SAFETY: by contract there are these items, and a sum for each tile.
        unsafe {
            let to = at::<T>(a.to, index);
            *to = (*at::<T>(a.sums, segment * a.tiles + (k >> shift))).plus(*to);
        }
    });
}
