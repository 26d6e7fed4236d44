//! Elements to given positions.

use super::gather::{Position, word_of};
use super::{at, note};
use crate::entry::kernels;
use crate::grid::Grid;

kernels! {
    "gather": scatter(Scatter {
        from: *mut u8, count: u64, positions: *mut u8, to: *mut u8, extent: u64, words: u32, failed: *mut u64
    });
    scatter_1_u32 <u8, u32>; scatter_2_u32 <u16, u32>; scatter_4_u32 <u32, u32>; scatter_8_u32 <u64, u32>;
    scatter_16_u32 <u128, u32>; scatter_1_i32 <u8, i32>; scatter_2_i32 <u16, i32>; scatter_4_i32 <u32, i32>;
    scatter_8_i32 <u64, i32>; scatter_16_i32 <u128, i32>; scatter_1_u64 <u8, u64>; scatter_2_u64 <u16, u64>;
    scatter_4_u64 <u32, u64>; scatter_8_u64 <u64, u64>; scatter_16_u64 <u128, u64>;
}

/// Element `positions[i]` of `to` becomes the one of `from` with number `i`; a position has to be below `extent`: the least `i`
/// where it is not goes to `failed`. Elements have `words` words. Positions are different, or it is open which value stays.
#[inline(always)]
unsafe fn scatter<W: Copy, P: Position, G: Grid>(g: G, a: Scatter) {
    g.each((a.words as u64).wrapping_mul(a.count), |index| {
        let (i, k) = word_of(index, a.words);
        // SAFETY: by contract there are `count` positions and elements of `from`, and `extent` elements of `to`.
        unsafe {
            let position = (*at::<P>(a.positions, i)).get();
            if position < a.extent {
                at::<W>(a.to, position * a.words as u64 + k).write(*at::<W>(a.from, index));
            } else {
                note(a.failed, i);
            }
        }
    });
}
