//! Which element comes last to each place.

use core::sync::atomic::{AtomicU64, Ordering};

use super::gather::{Position, Word, words};
use super::note;
use crate::entry::kernels;
use crate::grid::Grid;

kernels! {
    "gather": claim(Claim { count: u64, positions: *mut u8, extent: u64, last: *mut u64, failed: *mut u64 });
    claim_u32 <u32>; claim_i32 <i32>; claim_u64 <u64>;
}

/// `last` has the greatest `i + 1` with that position, and what it had before if that is greater. A position has to be below
/// `extent`: the least `i` where it is not goes to `failed`.
#[inline(always)]
unsafe fn claim<P: Position, G: Grid>(g: G, a: Claim) {
    let word = |_, word: Word| {
        // SAFETY: by contract `last` has `extent` aligned numbers that are accessed here alone.
        unsafe {
            if word.position < a.extent {
                let last = AtomicU64::from_ptr(a.last.add(word.position as usize));
                last.fetch_max(word.element + 1, Ordering::Relaxed);
            } else {
                note(a.failed, word.element);
            }
        }
    };
    // SAFETY: by contract there are `count` positions.
    unsafe { words::<P, G>(g, a.positions, a.count, 1, 1, word) };
}
