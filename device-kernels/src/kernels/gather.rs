//! Elements at given positions.

use super::{at, note};
use crate::entry::kernels;
use crate::grid::Grid;

/// A number of an element in memory.
pub(super) trait Position: Copy {
    fn get(self) -> u64;
}

impl Position for u32 {
    #[inline(always)]
    fn get(self) -> u64 {
        self as u64
    }
}

/// An `i64` too: what is negative is out of range.
impl Position for u64 {
    #[inline(always)]
    fn get(self) -> u64 {
        self
    }
}

/// An `i32`.
impl Position for i32 {
    #[inline(always)]
    fn get(self) -> u64 {
        self as i64 as u64
    }
}

/// The element that a word belongs to, and the word's number in it.
#[inline(always)]
pub(super) fn word_of(index: u64, words: u32) -> (u64, u64) {
    if words == 1 {
        return (index, 0);
    }
    // Where it can be, 32 bits are cheaper.
    if index >> 32 == 0 {
        let (index, words) = (index as u32, words.max(1));
        return ((index / words) as u64, (index % words) as u64);
    }
    let words = (words as u64).max(1);
    (index / words, index % words)
}

kernels! {
    "gather": gather(Gather {
        from: *mut u8, extent: u64, positions: *mut u8, to: *mut u8, count: u64, words: u32, failed: *mut u64
    });
    gather_1_u32 <u8, u32>; gather_2_u32 <u16, u32>; gather_4_u32 <u32, u32>; gather_8_u32 <u64, u32>;
    gather_16_u32 <u128, u32>; gather_1_i32 <u8, i32>; gather_2_i32 <u16, i32>; gather_4_i32 <u32, i32>;
    gather_8_i32 <u64, i32>; gather_16_i32 <u128, i32>; gather_1_u64 <u8, u64>; gather_2_u64 <u16, u64>;
    gather_4_u64 <u32, u64>; gather_8_u64 <u64, u64>; gather_16_u64 <u128, u64>;
}

/// Element `i` of `to` becomes the one of `from` at `positions[i]`, which has to be below `extent`: the least `i` where it is
/// not goes to `failed`, and its element stays. Elements have `words` words.
#[inline(always)]
unsafe fn gather<W: Copy, P: Position, G: Grid>(g: G, a: Gather) {
    g.each((a.words as u64).wrapping_mul(a.count), |index| {
        let (i, k) = word_of(index, a.words);
        // SAFETY: by contract there are `count` positions and elements of `to`, and `extent` elements of `from`.
        unsafe {
            let position = (*at::<P>(a.positions, i)).get();
            if position < a.extent {
                at::<W>(a.to, index).write(*at::<W>(a.from, position * a.words as u64 + k));
            } else {
                note(a.failed, i);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::word_of;

    #[test]
    fn words_beyond_2_to_the_32() {
        for words in [1_u32, 2, 3, 7, 1 << 20] {
            for index in [
                0,
                1,
                17,
                (1 << 31) + 5,
                (1 << 32) - 1,
                1 << 32,
                (1 << 32) + 1,
                (1 << 50) + 3,
            ] {
                let n = u64::from(words);
                assert_eq!(word_of(index, words), (index / n, index % n), "{index} {words}");
            }
        }
    }
}
