//! Local memory: each thread's own, which remembers what is written.

use std::ops::Range;

use crate::error::Error;
use crate::memory::Intent;

/// Of all threads of a block. Addresses of its space are offsets.
pub(crate) struct Local {
    cells: Vec<u128>,
    written: Vec<bool>,
    /// Of a thread.
    bytes: usize,
}

impl Local {
    pub fn new(bytes: usize, threads: usize) -> Local {
        let bytes = bytes.next_multiple_of(16);
        Local {
            cells: vec![0; bytes / 16 * threads],
            written: vec![false; bytes * threads],
            bytes,
        }
    }

    pub fn start(&mut self) {
        self.written.fill(false);
    }

    /// A function starts: its variables have no values.
    pub fn forget(&mut self, thread: u32, range: &Range<usize>) {
        let start = thread as usize * self.bytes;
        self.written[start + range.start..start + range.end].fill(false);
    }

    /// Where a thread's begins among generic addresses.
    pub fn address(&self, thread: u32) -> u64 {
        let start = self.cells.as_ptr().expose_provenance();
        (start + thread as usize * self.bytes) as u64
    }

    /// The offset of a generic address, if so many bytes lie in the thread's own.
    pub fn offset(&self, thread: u32, address: u64, size: u64) -> Option<usize> {
        self.inside(address.wrapping_sub(self.address(thread)), size)
    }

    pub fn inside(&self, offset: u64, size: u64) -> Option<usize> {
        let bytes = self.bytes as u64;
        (offset < bytes && bytes - offset >= size).then_some(offset as usize)
    }

    pub fn note(&mut self, thread: u32, offset: usize, size: usize, intent: Intent) -> Result<(), Error> {
        let start = thread as usize * self.bytes + offset;
        let written = &mut self.written[start..start + size];
        if intent == Intent::Write {
            written.fill(true);
        } else if written.contains(&false) {
            return Err(Error::from(format!(
                "thread {thread} reads {size} bytes at {offset} of its local memory, of which some are not written"
            )));
        }
        Ok(())
    }
}
