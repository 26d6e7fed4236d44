//! An interpreter of PTX, for the part of it that rustc emits for the device kernels. What it does not know is an error, never a
//! guess.
//!
//! Addresses are those of this process. Every access has to lie inside of one of the regions that the test names, and to be
//! aligned. Threads of a block run one after the other up to the next barrier, and shared memory remembers who accessed
//! what since the last one: what another order of threads could change is an error.

mod arithmetic;
mod block;
mod convert;
mod instruction;
mod memory;
mod operand;
mod parse;

use std::collections::HashMap;

pub use memory::Region;

use block::Block;
use instruction::Instruction;
use memory::Memory;

/// A module: its entries by name.
#[derive(Debug)]
pub struct Module {
    entries: HashMap<String, Entry>,
}

/// An entry point.
#[derive(Debug)]
struct Entry {
    /// Parameters: start in the block of parameters and size.
    params: Vec<(usize, usize)>,
    registers: usize,
    code: Vec<Instruction>,
}

/// A grid of blocks along one axis.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// Blocks.
    pub blocks: u32,
    /// Threads of a block.
    pub threads: u32,
    /// Bytes of dynamic shared memory.
    pub shared: usize,
}

impl Module {
    /// Reads a module.
    ///
    /// # Errors
    /// The line that is not understood.
    pub fn parse(text: &str) -> Result<Module, String> {
        parse::module(text)
    }

    /// Names of the entries.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Sizes of an entry's parameters in bytes.
    #[must_use]
    pub fn parameters(&self, entry: &str) -> Option<Vec<usize>> {
        let entry = self.entries.get(entry)?;
        Some(entry.params.iter().map(|&(_, size)| size).collect())
    }

    /// Runs an entry, block after block. Returns the number of instructions that all threads ran.
    ///
    /// # Safety
    /// The regions are memory of this process that nobody else accesses meanwhile.
    ///
    /// # Errors
    /// What went wrong, with the line of the PTX: an access outside of the regions or out of line, threads that wait at
    /// different barriers, threads that access the same shared memory without a barrier in between.
    pub unsafe fn run(&self, entry: &str, grid: Grid, args: &[&[u8]], regions: &[Region]) -> Result<u64, String> {
        // SAFETY: by contract.
        let blocks = (0..grid.blocks).map(|block| unsafe { self.run_block(entry, grid, block, args, regions) });
        blocks.sum()
    }

    /// As [`run`](Module::run), one block alone.
    ///
    /// # Safety
    /// As [`run`](Module::run).
    ///
    /// # Errors
    /// As [`run`](Module::run).
    pub unsafe fn run_block(
        &self,
        entry: &str,
        grid: Grid,
        block: u32,
        args: &[&[u8]],
        regions: &[Region],
    ) -> Result<u64, String> {
        let entry = self.entries.get(entry).ok_or_else(|| format!("no entry `{entry}`"))?;
        let sizes = entry.params.iter().map(|&(_, size)| size);
        if !sizes.eq(args.iter().map(|arg| arg.len())) {
            let given: Vec<usize> = args.iter().map(|arg| arg.len()).collect();
            return Err(format!(
                "parameters (start, size) {:?}, arguments of sizes {given:?}",
                entry.params
            ));
        }
        let mut params = vec![0_u8; entry.params.last().map_or(0, |(start, size)| start + size)];
        for (&(start, size), arg) in entry.params.iter().zip(args) {
            params[start..start + size].copy_from_slice(arg);
        }
        Block::new(entry, grid, block, &params).run(&mut Memory::new(regions, grid.shared))
    }
}
