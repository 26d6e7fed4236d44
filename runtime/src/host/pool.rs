//! A memory pool: memory of fields that were dropped is kept for fields to come. Fresh memory costs a page fault every 4 KiB, and a gradient, a copy
//! or an expression makes fields as large as those that it is of, again and again.

use std::sync::{Mutex, PoisonError};

/// Smaller memory stays with the allocator, which keeps it itself. All does for a detector of memory errors.
const LEAST: usize = if cfg!(swathe_fresh) { usize::MAX } else { 256 << 10 };
/// What is kept at most. It never is more than what fields have.
const MOST: usize = 256 << 20;

/// Memory of so many bytes, by its address.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Block {
    pub at: usize,
    pub bytes: usize,
}

#[derive(Default)]
struct Pool {
    /// Bytes that fields have.
    used: usize,
    /// Bytes of the blocks.
    bytes: usize,
    /// The oldest first.
    blocks: Vec<Block>,
}

static POOL: Mutex<Pool> = Mutex::new(Pool {
    used: 0,
    bytes: 0,
    blocks: Vec::new(),
});

impl Pool {
    fn take(&mut self, bytes: usize) -> Option<Block> {
        self.used += bytes;
        let k = self.blocks.iter().rposition(|block| block.bytes == bytes)?;
        self.bytes -= bytes;
        Some(self.blocks.remove(k))
    }

    /// Keeps a block, and gives those back for which there is no room any more.
    fn put(&mut self, block: Block) -> Vec<Block> {
        self.used -= block.bytes;
        self.bytes += block.bytes;
        self.blocks.push(block);
        let most = self.used.min(MOST);
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
pub(super) fn is_small(bytes: usize) -> bool {
    bytes < LEAST
}

/// Memory of so many bytes that was kept. What it holds is open.
pub(super) fn take(bytes: usize) -> Option<Block> {
    if is_small(bytes) {
        return None;
    }
    POOL.lock().unwrap_or_else(PoisonError::into_inner).take(bytes)
}

/// Says that memory which was asked for is not there.
pub(super) fn failed(bytes: usize) {
    if !is_small(bytes) {
        POOL.lock().unwrap_or_else(PoisonError::into_inner).used -= bytes;
    }
}

/// Keeps memory that nobody uses any more and that is not small, and gives what is to be freed in its place.
pub(super) fn put(block: Block) -> Vec<Block> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner).put(block)
}

/// All that is kept, to be freed: where there is no other memory.
pub(super) fn all() -> Vec<Block> {
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    pool.bytes = 0;
    std::mem::take(&mut pool.blocks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(at: usize, bytes: usize) -> Block {
        Block { at, bytes }
    }

    #[test]
    fn no_more_is_kept_than_is_used() {
        let mut pool = Pool::default();
        for bytes in [100, 100, 50] {
            assert_eq!(pool.take(bytes), None);
        }
        assert_eq!(pool.put(block(1, 100)), []);
        assert_eq!(pool.bytes, 100);
        // 50 are used: the oldest goes.
        assert_eq!(pool.put(block(2, 100)), [block(1, 100), block(2, 100)]);
        assert_eq!((pool.used, pool.bytes), (50, 0));
        assert_eq!(pool.put(block(3, 50)), [block(3, 50)]);
        assert_eq!((pool.used, pool.bytes), (0, 0));
    }

    #[test]
    fn a_block_is_taken_once_and_by_its_size() {
        let mut pool = Pool::default();
        for bytes in [100, 70, 100, 100, 70] {
            assert_eq!(pool.take(bytes), None);
        }
        assert_eq!(pool.put(block(1, 100)), []);
        assert_eq!(pool.put(block(2, 70)), []);
        assert_eq!(pool.put(block(3, 100)), [block(1, 100)]);
        assert_eq!(pool.take(90), None);
        assert_eq!(pool.take(100), Some(block(3, 100)));
        assert_eq!(pool.take(100), None);
        assert_eq!(pool.take(70), Some(block(2, 70)));
        assert_eq!(
            (pool.used, pool.bytes, pool.blocks.len()),
            (100 + 70 + 90 + 100 + 100 + 70, 0, 0)
        );
    }
}
