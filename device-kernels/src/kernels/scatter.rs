//! Elements to given positions.

use super::gather::{Position, Word, words};
use super::{at, move_word};
use crate::entry::kernels;
use crate::grid::Grid;

kernels! {
    "gather": scatter(Scatter {
        from: *mut u8, count: u64, positions: *mut u8, to: *mut u8, extent: u64, words: u64, last: *mut u64
    });
    scatter_1_u32 <u8, u32>; scatter_2_u32 <u16, u32>; scatter_4_u32 <u32, u32>; scatter_8_u32 <u64, u32>;
    scatter_16_u32 <u128, u32>; scatter_1_i32 <u8, i32>; scatter_2_i32 <u16, i32>; scatter_4_i32 <u32, i32>;
    scatter_8_i32 <u64, i32>; scatter_16_i32 <u128, i32>; scatter_1_u64 <u8, u64>; scatter_2_u64 <u16, u64>;
    scatter_4_u64 <u32, u64>; scatter_8_u64 <u64, u64>; scatter_16_u64 <u128, u64>;
}

/// Element `positions[i]` of `to` becomes the one of `from` with number `i`, where `last` has `i + 1` for it: so no two are written
/// to one place. Elements have `words` words.
#[inline(always)]
unsafe fn scatter<W: Copy, P: Position, G: Grid>(g: G, a: Scatter) {
    let word = |_, word: Word| {
        // SAFETY: by contract there are `count` elements of `from`, and `extent` of `to` and `last`.
        unsafe {
            if word.position < a.extent && *a.last.add(word.position as usize) == word.element + 1 {
                let to = word.position * a.words + word.part;
                move_word::<W>(at(a.from, word.number), at(a.to, to));
            }
        }
    };
    // SAFETY: by contract there are `count` positions.
    unsafe { words::<P, G>(g, a.positions, a.count, 1, a.words, word) };
}
