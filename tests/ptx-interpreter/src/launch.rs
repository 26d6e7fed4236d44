//! A launch.

use crate::Entry;
use crate::block::Block;
use crate::error::Error;
use crate::memory::Memory;
use crate::regions::Regions;

/// A grid of blocks along one axis.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// Blocks.
    pub blocks: u32,
    /// Threads of a block.
    pub threads: u16,
    /// Bytes of dynamic shared memory.
    pub shared: usize,
}

/// An entry with its arguments, which runs one block after the other. Several of them may share a grid's blocks.
pub struct Launch<'a> {
    block: Block<'a>,
    memory: Memory<'a>,
    blocks: u32,
}

impl<'a> Launch<'a> {
    pub(crate) fn new(
        entry: &'a Entry,
        grid: Grid,
        args: &[&[u8]],
        regions: &'a Regions,
    ) -> Result<Launch<'a>, String> {
        let sizes = entry.params.iter().map(|param| param.size);
        if !sizes.eq(args.iter().map(|arg| arg.len())) {
            let given: Vec<usize> = args.iter().map(|arg| arg.len()).collect();
            return Err(format!("{:?}, arguments of sizes {given:?}", entry.params));
        }
        let mut params = vec![0_u8; entry.params.last().map_or(0, |last| last.offset + last.size)];
        for (param, arg) in entry.params.iter().zip(args) {
            params[param.offset..][..param.size].copy_from_slice(arg);
        }
        Ok(Launch {
            block: Block::new(entry, grid, params),
            memory: Memory::new(regions, grid.shared),
            blocks: grid.blocks,
        })
    }

    /// Runs all blocks. Returns the number of instructions that all threads ran.
    ///
    /// # Safety
    /// The regions are memory of this process. Others access them, if at all, atomically, as other launches do.
    ///
    /// # Errors
    /// An access outside of the regions or out of line, threads that wait at different barriers, threads that access the
    /// same shared memory without a barrier in between.
    pub unsafe fn run(&mut self) -> Result<u64, Error> {
        // SAFETY: by contract.
        (0..self.blocks).map(|block| unsafe { self.run_block(block) }).sum()
    }

    /// As [`run`](Launch::run), one block alone.
    ///
    /// # Safety
    /// As [`run`](Launch::run).
    ///
    /// # Errors
    /// As [`run`](Launch::run).
    pub unsafe fn run_block(&mut self, block: u32) -> Result<u64, Error> {
        self.memory.start();
        // SAFETY: by contract.
        unsafe { self.block.run(block, &mut self.memory) }
    }
}
