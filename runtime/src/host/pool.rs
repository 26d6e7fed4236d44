//! A memory pool: memory of fields that were dropped is kept for fields to come. Fresh memory costs a page fault every 4 KiB, and a gradient, a copy
//! or an expression makes fields as large as those that it is of, again and again.

use std::alloc::{Layout, dealloc};
use std::sync::{Mutex, PoisonError};

use crate::error::{Error, Result};

/// Smaller memory stays with the allocator, which keeps it itself. All does for a detector of memory errors.
const LEAST: usize = if cfg!(swathe_fresh) { usize::MAX } else { 256 << 10 };
/// What is kept at most, or as much as fields have, if that is more.
const MOST: usize = 256 << 20;

/// What memory of fields is allocated with: for more than that, the standard allocator would write zeros itself and so touch every page, where fresh pages
/// are zero anyway and are better first touched by the threads that use them.
pub(crate) const ALIGN: usize = 16;

/// Memory of so many bytes, by its address.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Block {
    pub at: usize,
    pub bytes: usize,
}

impl Block {
    /// Gives it back to the allocator.
    ///
    /// # Safety
    /// The allocator made it, aligned to [`ALIGN`], and nobody has it.
    pub unsafe fn free(self) {
        if let Ok(layout) = Layout::from_size_align(self.bytes, ALIGN) {
            // SAFETY: by the caller's word.
            unsafe { dealloc(std::ptr::with_exposed_provenance_mut(self.at), layout) };
        }
    }
}

#[derive(Default)]
struct Pool {
    /// Bytes that fields have.
    used: usize,
    /// Bytes that fields have had at once, at most: the program's own need, which is never exceeded by what is kept for it.
    peak: usize,
    /// Bytes of the blocks.
    bytes: usize,
    /// The oldest first.
    blocks: Vec<Block>,
}

static POOL: Mutex<Pool> = Mutex::new(Pool {
    used: 0,
    peak: 0,
    bytes: 0,
    blocks: Vec::new(),
});

impl Pool {
    fn take(&mut self, bytes: usize) -> Option<Block> {
        let k = self.blocks.iter().rposition(|block| block.bytes == bytes)?;
        self.bytes -= bytes;
        self.got(bytes);
        Some(self.blocks.remove(k))
    }

    /// Counts memory that a field has now: never what was only asked for.
    fn got(&mut self, bytes: usize) {
        self.used += bytes;
        self.peak = self.peak.max(self.used);
    }

    /// Keeps a block, and gives those back for which there is no room any more.
    fn put(&mut self, block: Block) -> Vec<Block> {
        self.used -= block.bytes;
        self.bytes += block.bytes;
        self.blocks.push(block);
        let most = (self.peak - self.used).min(self.used.max(MOST));
        let mut left = Vec::new();
        while self.bytes > most {
            let oldest = self.blocks.remove(0);
            self.bytes -= oldest.bytes;
            left.push(oldest);
        }
        left
    }
}

/// Whether memory of so many bytes goes back to the allocator at once.
pub(crate) fn is_small(bytes: usize) -> bool {
    bytes < LEAST
}

/// Memory of so many bytes that was kept. What it holds is open.
pub(crate) fn take(bytes: usize) -> Option<Block> {
    if is_small(bytes) {
        return None;
    }
    POOL.lock().unwrap_or_else(PoisonError::into_inner).take(bytes)
}

/// Says that a field has got so many bytes of the allocator, as none were kept.
pub(crate) fn got(bytes: usize) {
    if !is_small(bytes) {
        POOL.lock().unwrap_or_else(PoisonError::into_inner).got(bytes);
    }
}

/// Keeps memory that nobody uses any more and that is not small, and gives others back for which there is no room.
///
/// # Safety
/// As for [`Block::free`].
pub(crate) unsafe fn put(block: Block) {
    let left = POOL.lock().unwrap_or_else(PoisonError::into_inner).put(block);
    for block in left {
        // SAFETY: by the word of who put it here.
        unsafe { block.free() };
    }
}

/// Gives back all that is kept: where there is no other memory.
pub(crate) fn clear() {
    let blocks = {
        let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        pool.bytes = 0;
        std::mem::take(&mut pool.blocks)
    };
    for block in blocks {
        // SAFETY: by the word of who put it here.
        unsafe { block.free() };
    }
}

/// An empty vector with room for `len` elements in the host's memory, also if memory that is kept has to go for it.
///
/// # Errors
/// [`Error::OutOfMemory`].
pub(crate) fn reserved<T>(len: usize) -> Result<Vec<T>> {
    let mut values = Vec::new();
    if values.try_reserve_exact(len).is_ok() {
        return Ok(values);
    }
    clear();
    values.try_reserve_exact(len).map_err(|_| Error::OutOfMemory {
        bytes: len.saturating_mul(size_of::<T>()),
        place: "the host".to_owned(),
    })?;
    Ok(values)
}

/// Bytes that fields have had at once, at most.
#[cfg(test)]
pub(crate) fn peak() -> usize {
    POOL.lock().unwrap_or_else(PoisonError::into_inner).peak
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(at: usize, bytes: usize) -> Block {
        Block { at, bytes }
    }

    /// Memory of the allocator for a field.
    fn fresh(pool: &mut Pool, bytes: usize) {
        assert_eq!(pool.take(bytes), None);
        pool.got(bytes);
    }

    #[test]
    fn a_program_has_no_more_than_it_once_needed() {
        let mut pool = Pool::default();
        for bytes in [100, 100, 50] {
            fresh(&mut pool, bytes);
        }
        for (at, bytes) in [(1, 100), (2, 100), (3, 50)] {
            assert_eq!(pool.put(block(at, bytes)), []);
        }
        assert_eq!((pool.used, pool.bytes, pool.peak), (0, 250, 250));
        // The next round finds all of it.
        assert_eq!(pool.take(100), Some(block(2, 100)));
        assert_eq!(pool.take(50), Some(block(3, 50)));
        // What was kept of another size counts as long as it is.
        fresh(&mut pool, 120);
        assert_eq!((pool.used, pool.bytes, pool.peak), (270, 100, 270));
        assert_eq!(pool.put(block(4, 120)), [block(1, 100)]);
        assert_eq!((pool.used, pool.bytes), (150, 120));
    }

    #[test]
    fn what_is_kept_without_fields_is_limited() {
        let mut pool = Pool::default();
        let half = MOST / 2;
        for _ in 0..5 {
            fresh(&mut pool, half);
        }
        assert_eq!(pool.put(block(1, half)), []);
        assert_eq!(pool.put(block(2, half)), []);
        // Three fifths are used, or two: as much may be kept.
        assert_eq!(pool.put(block(3, half)), [block(1, half)]);
        assert_eq!(pool.put(block(4, half)), [block(2, half)]);
        assert_eq!(pool.put(block(5, half)), [block(3, half)]);
        assert_eq!((pool.used, pool.bytes), (0, MOST));
    }

    #[test]
    fn memory_that_was_refused_does_not_count() {
        let mut pool = Pool::default();
        // Asked for at once, by three threads, before one of them knows that it gets none.
        for _ in 0..3 {
            assert_eq!(pool.take(isize::MAX as usize), None);
        }
        assert_eq!((pool.used, pool.peak), (0, 0));
        // So what is kept afterwards is what the program had.
        fresh(&mut pool, 100);
        assert_eq!(pool.take(isize::MAX as usize), None);
        assert_eq!(pool.put(block(1, 100)), []);
        fresh(&mut pool, 70);
        assert_eq!(pool.put(block(2, 70)), [block(1, 100)]);
        assert_eq!((pool.used, pool.bytes, pool.peak), (0, 70, 100));
    }

    #[test]
    fn a_block_is_taken_once_and_by_its_size() {
        let mut pool = Pool::default();
        for bytes in [100, 70, 100, 100, 70] {
            fresh(&mut pool, bytes);
        }
        assert_eq!(pool.put(block(1, 100)), []);
        assert_eq!(pool.put(block(2, 70)), []);
        assert_eq!(pool.put(block(3, 100)), []);
        assert_eq!(pool.take(90), None);
        assert_eq!(pool.take(100), Some(block(3, 100)));
        assert_eq!(pool.take(100), Some(block(1, 100)));
        assert_eq!(pool.take(100), None);
        assert_eq!(pool.take(70), Some(block(2, 70)));
        assert_eq!((pool.bytes, pool.blocks.len()), (0, 0));
    }

    #[test]
    fn what_is_kept_goes_where_the_host_wants_memory() {
        if cfg!(swathe_fresh) {
            return;
        }
        // No other test has memory of that size.
        let bytes = LEAST.wrapping_add(0x1230);
        let layout = Layout::from_size_align(bytes, ALIGN).unwrap();
        assert_eq!(take(bytes), None);
        // SAFETY: the size is not zero.
        let at = unsafe { std::alloc::alloc(layout) }.expose_provenance();
        got(bytes);
        // SAFETY: just made, and nobody else's.
        unsafe { put(Block { at, bytes }) };
        let refused = reserved::<u64>(isize::MAX as usize / 8);
        assert!(matches!(refused, Err(Error::OutOfMemory { .. })));
        assert_eq!(take(bytes), None);
    }
}
