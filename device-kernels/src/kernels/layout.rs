//! Arrays of structures to structures of arrays, and back: words that follow each other go to planes, or come from them.

use crate::entry::kernels;
use crate::grid::Grid;

/// Which way words go.
trait Way {
    const TO_PLANES: bool;
}

struct Split;
struct Join;

impl Way for Split {
    const TO_PLANES: bool = true;
}

impl Way for Join {
    const TO_PLANES: bool = false;
}

kernels! {
    "layout": layout(Layout { structures: *mut u8, planes: *mut u8, count: u64, words: u32, plane: u64 });
    deinterleave_1 <Split, u8>; deinterleave_2 <Split, u16>; deinterleave_4 <Split, u32>; deinterleave_8 <Split, u64>;
    interleave_1 <Join, u8>; interleave_2 <Join, u16>; interleave_4 <Join, u32>; interleave_8 <Join, u64>;
}

/// `count` structures of `words` words, of which the k-th is in plane k; planes are `plane` words apart. Shared memory holds
/// one structure for each thread: both sides are accessed in the order in which they lie.
#[inline(always)]
unsafe fn layout<D: Way, W: Copy, G: Grid>(g: G, a: Layout) {
    let tile = g.shared().cast::<W>();
    let threads = g.threads();
    let mut base = g.block() as u64 * threads as u64;
    while base < a.count {
        let here = (a.count - base).min(threads as u64) as u32;
        let structures = |thread: u32| {
            let mut word = thread;
            while word < here * a.words {
                let index = (base * a.words as u64 + word as u64) as usize;
                // SAFETY: the word is one of the structures of this block.
                unsafe {
                    moved(
                        !D::TO_PLANES,
                        a.structures.cast::<W>().add(index),
                        tile.add(word as usize),
                    )
                };
                word += threads;
            }
        };
        let planes = |thread: u32| {
            let mut k = 0;
            while thread < here && k < a.words {
                let index = (k as u64 * a.plane + base + thread as u64) as usize;
                let word = (thread * a.words + k) as usize;
                // SAFETY: as above.
                unsafe { moved(D::TO_PLANES, a.planes.cast::<W>().add(index), tile.add(word)) };
                k += 1;
            }
        };
        if D::TO_PLANES {
            g.phase(structures);
            g.phase(planes);
        } else {
            g.phase(planes);
            g.phase(structures);
        }
        base += g.blocks() as u64 * threads as u64;
    }
}

/// A word goes out of the tile, or into it.
#[inline(always)]
unsafe fn moved<W: Copy>(out: bool, there: *mut W, tile: *mut W) {
    // SAFETY: by contract both are words.
    unsafe {
        if out {
            *there = *tile;
        } else {
            *tile = *there;
        }
    }
}
