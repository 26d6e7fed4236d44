//! Elements at given positions.

use super::{at, move_word, note, split};
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
pub(super) fn word_of(index: u64, words: u64) -> (u64, u64) {
    if words == 1 {
        return (index, 0);
    }
    // Where it can be, 32 bits are cheaper.
    if (index | words) >> 32 == 0 {
        let (index, words) = (index as u32, (words as u32).max(1));
        return ((index / words) as u64, (index % words) as u64);
    }
    let words = words.max(1);
    (index / words, index % words)
}

kernels! {
    "gather": gather(Gather {
        from: *mut u8, extent: u64, positions: *mut u8, to: *mut u8, count: u64, batches: u64, words: u64, failed: *mut u64
    });
    gather_1_u32 <u8, u32>; gather_2_u32 <u16, u32>; gather_4_u32 <u32, u32>; gather_8_u32 <u64, u32>;
    gather_16_u32 <u128, u32>; gather_1_i32 <u8, i32>; gather_2_i32 <u16, i32>; gather_4_i32 <u32, i32>;
    gather_8_i32 <u64, i32>; gather_16_i32 <u128, i32>; gather_1_u64 <u8, u64>; gather_2_u64 <u16, u64>;
    gather_4_u64 <u32, u64>; gather_8_u64 <u64, u64>; gather_16_u64 <u128, u64>;
}

/// A word that is moved from or to a position.
pub(super) struct Word {
    /// The number of the element, and of its position.
    pub element: u64,
    pub position: u64,
    /// The number of the word in its row, and in its element.
    pub number: u64,
    pub part: u64,
}

/// Calls `word` for all words of `count` elements, in each of `batches` rows, with the row's number.
#[inline(always)]
pub(super) unsafe fn words<P: Position, G: Grid>(
    g: G,
    positions: *mut u8,
    count: u64,
    batches: u64,
    words: u64,
    mut word: impl FnMut(u64, Word),
) {
    let row = words.wrapping_mul(count);
    g.each(row.wrapping_mul(batches), |index: u64| {
        let (batch, number) = if batches == 1 {
            (0, index)
        } else {
            // SAFETY: there is a word, so rows are not empty.
            unsafe { split(index, row) }
        };
        let (element, part) = word_of(number, words);
        // SAFETY: by contract there are `count` positions.
        let position = unsafe { *at::<P>(positions, element) }.get();
        word(
            batch,
            Word {
                element,
                position,
                number,
                part,
            },
        );
    });
}

/// Element `i` of `to` becomes the one of `from` at `positions[i]`, which has to be below `extent`: the least `i` where it is
/// not goes to `failed`, and its element stays. Elements have `words` words. So it is for each of `batches` rows of `extent` elements, to
/// rows of `count`.
#[inline(always)]
unsafe fn gather<W: Copy, P: Position, G: Grid>(g: G, a: Gather) {
    let moved = |batch: u64, word: Word| {
        let number = batch * a.count * a.words + word.number;
        // SAFETY: by contract there are `count` elements in a row of `to`, and `extent` in one of `from`.
        unsafe {
            if word.position < a.extent {
                let from = (batch * a.extent + word.position) * a.words + word.part;
                move_word::<W>(at(a.from, from), at(a.to, number));
            } else {
                note(a.failed, word.element);
            }
        }
    };
    // SAFETY: by contract there are `count` positions.
    unsafe { words::<P, G>(g, a.positions, a.count, a.batches, a.words, moved) };
}

#[cfg(test)]
mod tests {
    use super::word_of;

    #[test]
    fn words_beyond_2_to_the_32() {
        for words in [1_u64, 2, 3, 7, 1 << 20, (1 << 33) + 1] {
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
                assert_eq!(word_of(index, words), (index / words, index % words), "{index} {words}");
            }
        }
    }
}
