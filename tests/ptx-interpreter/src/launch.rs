//! A launch.

use std::ops::Range;

use crate::block::Block;
use crate::error::Error;
use crate::limits;
use crate::memory::{Accesses, Memory};
use crate::module::Module;
use crate::order::{Blocks, Chooser};
use crate::regions::Regions;
use crate::thread::Context;
use crate::trace::Trace;

/// A grid of blocks.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// Blocks.
    pub blocks: [u32; 3],
    /// Threads of a block.
    pub threads: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: usize,
}

impl Grid {
    /// Along one axis.
    #[must_use]
    pub fn line(blocks: u32, threads: u32, shared: usize) -> Grid {
        Grid {
            blocks: [blocks, 1, 1],
            threads: [threads, 1, 1],
            shared,
        }
    }
}

/// An entry with its arguments, which runs one block after the other. Several of them may share a grid's blocks.
pub struct Launch<'a> {
    block: Block<'a>,
    memory: Memory<'a>,
    grid: Grid,
    dynamic: u64,
    /// Chooses the order.
    seed: Option<u64>,
}

impl<'a> Launch<'a> {
    pub(crate) fn new(
        module: &'a Module,
        entry: usize,
        grid: Grid,
        args: &[&[u8]],
        regions: &'a Regions,
    ) -> Result<Launch<'a>, String> {
        let function = &module.functions[entry];
        let sizes = function.params.iter().map(|param| param.size);
        if !sizes.eq(args.iter().map(|arg| arg.len())) {
            let given: Vec<usize> = args.iter().map(|arg| arg.len()).collect();
            return Err(format!("{:?}, arguments of sizes {given:?}", function.params));
        }
        limits::check(module, function.bounds, grid)?;
        let threads: usize = grid.threads.iter().map(|&n| n as usize).product();
        let dynamic = module.shared.next_multiple_of(16);
        let mut arguments = vec![0_u8; function.params.last().map_or(0, |last| last.offset + last.size)];
        for (param, arg) in function.params.iter().zip(args) {
            arguments[param.offset..][..param.size].copy_from_slice(arg);
        }
        // Without dynamic memory an address behind the variables is outside.
        let shared = match grid.shared {
            0 => module.shared,
            more => dynamic + more,
        };
        Ok(Launch {
            block: Block::new(module, entry, arguments, threads),
            memory: Memory::new(module, regions, shared, threads),
            grid,
            dynamic: dynamic as u64,
            seed: None,
        })
    }

    /// From now on a seed chooses the order of blocks, of the warps of a block and of the lanes of a warp, and how many
    /// instructions a thread runs before another one goes on. The same seed chooses the same.
    pub fn choose_order(&mut self, seed: u64) {
        self.seed = Some(seed);
    }

    /// From now on a seed chooses the results of approximations, within the errors that the manual allows. It changes those of
    /// `f32`; the approximations of `f64`, from which exact results are made, stay.
    pub fn disturb_approximations(&mut self, seed: u64) {
        self.memory.disturb = Some(seed);
    }

    /// From now on threads may race in global memory.
    pub fn allow_races(&mut self) {
        self.memory.allow_races();
    }

    /// What the blocks so far read and wrote, for those who share a grid's blocks.
    #[must_use]
    pub fn trace(&self) -> &Trace {
        self.memory.trace()
    }

    /// Counts accesses that begin at these addresses.
    pub fn watch(&mut self, addresses: Range<u64>) {
        self.memory.watch(addresses);
    }

    /// What was counted.
    #[must_use]
    pub fn watched(&self) -> Accesses {
        self.memory.watched()
    }

    /// Runs all blocks. Returns the number of instructions that all threads ran.
    ///
    /// # Safety
    /// The regions are memory of this process. Others access them, if at all, atomically, as other launches do.
    ///
    /// # Errors
    /// An access outside of the regions or out of line, threads that wait at different barriers, threads that access the
    /// same shared memory without a barrier in between, lanes that take values of others that are not there.
    pub unsafe fn run(&mut self) -> Result<u64, Error> {
        let blocks = self.grid.blocks.iter().map(|&n| u64::from(n)).product();
        let order = Blocks::new(blocks, self.seed);
        // SAFETY: by contract.
        (0..blocks).map(|k| unsafe { self.run_block(order.at(k)) }).sum()
    }

    /// As [`run`](Launch::run), one block alone, by its number.
    ///
    /// # Safety
    /// As [`run`](Launch::run).
    ///
    /// # Errors
    /// As [`run`](Launch::run).
    pub unsafe fn run_block(&mut self, block: u64) -> Result<u64, Error> {
        let [x, y, _] = self.grid.blocks.map(u64::from);
        let context = Context {
            threads: self.grid.threads,
            block: [(block % x) as u32, (block / x % y) as u32, (block / x / y) as u32],
            blocks: self.grid.blocks,
            dynamic: self.dynamic,
        };
        self.memory.start(block);
        // SAFETY: by contract.
        unsafe {
            self.block.run(
                &context,
                &mut self.memory,
                self.seed.map(|seed| Chooser::new(seed, block)),
            )
        }
    }
}
