//! One launch of an entry, as data.

use crate::grid::Host;
use crate::kernels;

/// Steps that a block has on the host.
const STEPS: u64 = 1 << 16;

/// Threads of a block, for all kernels.
pub const THREADS: u32 = 256;

/// An entry of the PTX.
pub struct Entry {
    /// Name of the PTX file that holds it: see [`ptx::text`](crate::ptx::text).
    pub family: &'static str,
    /// Its name there.
    pub name: &'static str,
    pub(crate) run: unsafe fn(Host, &Args),
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.family, self.name)
    }
}

impl Entry {
    /// All entries.
    pub fn all() -> impl Iterator<Item = &'static Entry> {
        kernels::ENTRIES.iter().copied().flatten()
    }
}

/// What a kernel needs of its grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// As many blocks as suit the device: items are shared out, whatever their number. What is computed does not
    /// depend on it.
    Items(u64),
    /// Exactly these blocks, or fewer that take turns. What is computed does not depend on it, either.
    Blocks(u64),
}

/// A launch of one entry, with blocks of [`THREADS`] threads.
#[derive(Debug)]
pub struct Launch {
    /// What is launched.
    pub entry: &'static Entry,
    /// The grid.
    pub shape: Shape,
    /// Bytes of dynamic shared memory.
    pub shared: u32,
    /// Arguments.
    pub args: Args,
    /// How much an item or a block costs, in steps of a simple loop.
    steps: u64,
}

impl Launch {
    pub(crate) fn items(entry: &'static Entry, items: u64, args: Args) -> Launch {
        Launch {
            entry,
            shape: Shape::Items(items),
            shared: 0,
            args,
            steps: 1,
        }
    }

    /// With items or blocks that are loops of so many steps themselves.
    pub(crate) fn of_steps(self, steps: u64) -> Launch {
        Launch {
            steps: steps.max(1),
            ..self
        }
    }

    pub(crate) fn blocks(entry: &'static Entry, blocks: u64, steps: u64, shared: u32, args: Args) -> Launch {
        Launch {
            entry,
            shape: Shape::Blocks(blocks),
            shared,
            args,
            steps,
        }
    }

    /// Blocks of the grid on a device that runs `resident` blocks at once: at least 1, at most 32 times as many.
    #[must_use]
    pub fn grid(&self, resident: u32) -> u32 {
        let wanted = match self.shape {
            Shape::Items(items) => items.div_ceil(u64::from(THREADS)),
            Shape::Blocks(blocks) => blocks,
        };
        let most = resident.saturating_mul(32).clamp(1, (1 << 22) - 1);
        wanted.clamp(1, u64::from(most)) as u32
    }

    /// How many blocks the kernel has on the host, to be run by any threads in any order.
    #[must_use]
    pub fn host_blocks(&self) -> u32 {
        let (Shape::Items(count) | Shape::Blocks(count)) = self.shape;
        let steps = count.saturating_mul(self.steps);
        steps.div_ceil(STEPS).min(count).clamp(1, 1 << 10) as u32
    }

    /// Runs one block here, in the caller's thread.
    ///
    /// # Safety
    /// As for [`Launch::run_on_host`].
    pub unsafe fn run_block_on_host(&self, block: u32) {
        let threads = match self.shape {
            Shape::Items(_) => 1,
            Shape::Blocks(_) => THREADS,
        };
        let mut shared = vec![0_u128; (self.shared as usize).div_ceil(16)];
        let grid = Host {
            block,
            blocks: self.host_blocks(),
            threads,
            shared: shared.as_mut_ptr().cast(),
        };
        // SAFETY: by contract.
        unsafe { (self.entry.run)(grid, &self.args) }
    }

    /// Runs the kernel here, in the caller's thread.
    ///
    /// # Safety
    /// The addresses are of memory of this process that the kernel may access: see the function of
    /// [`plan`](crate::plan) that made the launch.
    pub unsafe fn run_on_host(&self) {
        for block in 0..self.host_blocks() {
            // SAFETY: by contract.
            unsafe { self.run_block_on_host(block) };
        }
    }
}

/// Arguments of an entry, each at a multiple of 8 bytes.
#[derive(Clone, Debug, Default)]
pub struct Args {
    words: Vec<u64>,
    /// Where each starts, in words, and its size in bytes.
    places: Vec<(usize, usize)>,
}

impl Args {
    pub(crate) fn push<T: Copy>(&mut self, value: T) {
        const { assert!(align_of::<T>() <= 8) };
        let start = self.words.len();
        self.words.resize(start + size_of::<T>().div_ceil(8), 0);
        self.places.push((start, size_of::<T>()));
        // SAFETY: there is room for it, and no argument has padding.
        unsafe { self.words.as_mut_ptr().add(start).cast::<T>().write(value) };
    }

    pub(crate) fn get<T: Copy>(&self, position: usize) -> T {
        let (start, size) = self.places[position];
        assert_eq!(size, size_of::<T>(), "argument {position}");
        // SAFETY: `push` has put a value of this size there, of the same argument list.
        unsafe { self.words.as_ptr().add(start).cast::<T>().read() }
    }

    /// Number of arguments.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Where each argument lies, and its size in bytes: what a driver's launch takes.
    pub fn pointers(&self) -> impl Iterator<Item = (*const u8, usize)> {
        self.places
            .iter()
            .map(|&(start, size)| (self.words[start..].as_ptr().cast(), size))
    }
}
