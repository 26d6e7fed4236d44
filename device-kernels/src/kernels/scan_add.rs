//! What stands before a tile, added to its prefix sums.

use super::at;
use crate::entry::kernels;
use crate::grid::Grid;
use crate::number::Number;

kernels! {
    "scan": scan_add(ScanAdd { to: *mut u8, sums: *mut u8, count: u64, tile: u32 });
    scan_add_u8 <u8>; scan_add_u16 <u16>; scan_add_u32 <u32>; scan_add_u64 <u64>; scan_add_f32 <f32>;
    scan_add_f64 <f64>;
}

/// `tile` is a power of two.
#[inline(always)]
unsafe fn scan_add<T: Number, G: Grid>(g: G, a: ScanAdd) {
    let shift = a.tile.trailing_zeros() as u64;
    g.each(a.count, |index: u64| {
        // SAFETY: by contract there are `count` items, and a sum for each tile.
        unsafe {
            let to = at::<T>(a.to, index);
            *to = (*at::<T>(a.sums, index >> shift)).plus(*to);
        }
    });
}
