//! Array of structures to structure of arrays: words that follow each other go to planes.

use crate::entry::kernels;
use crate::grid::Grid;

kernels! {
    "layout": deinterleave(Deinterleave { from: *mut u8, to: *mut u8, count: u64, words: u32, plane: u64 });
    deinterleave_1 <u8>; deinterleave_2 <u16>; deinterleave_4 <u32>; deinterleave_8 <u64>;
}

/// `count` structures of `words` words, of which the k-th goes to plane k; planes are `plane` words apart. Shared memory
/// holds one structure for each thread.
#[inline(always)]
unsafe fn deinterleave<W: Copy, G: Grid>(g: G, a: Deinterleave) {
    let tile = g.shared().cast::<W>();
    let threads = g.threads();
    let mut base = g.block() as u64 * threads as u64;
    while base < a.count {
        let here = (a.count - base).min(threads as u64) as u32;
        g.phase(|thread| {
            let mut word = thread;
            while word < here * a.words {
                let index = base * a.words as u64 + word as u64;
                // SAFETY: the word is one of the structures of this block.
                unsafe { *tile.add(word as usize) = *a.from.cast::<W>().add(index as usize) };
                word += threads;
            }
        });
        g.phase(|thread| {
            let mut k = 0;
            while thread < here && k < a.words {
                let index = k as u64 * a.plane + base + thread as u64;
                // SAFETY: as above.
                unsafe { *a.to.cast::<W>().add(index as usize) = *tile.add((thread * a.words + k) as usize) };
                k += 1;
            }
        });
        base += g.blocks() as u64 * threads as u64;
    }
}
