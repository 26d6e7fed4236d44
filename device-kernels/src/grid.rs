//! What a kernel sees of the threads that run it.

/// Neighbours that the host takes together, at most: what is kept of each fits into the first cache.
#[cfg(not(target_arch = "nvptx64"))]
pub const RUN: usize = 2048;

/// One block of a grid of threads, along one axis.
///
/// A kernel is written as loops over all items ([`each`](Grid::each)), and as phases that the threads of a block go through together
/// ([`phase`](Grid::phase)). What the next phase needs is in shared memory, or is [kept](Grid::keep) for each thread: no variable of a thread
/// outlives a phase otherwise. So a host can run the threads of a block one after the other.
pub trait Grid: Copy {
    /// The number of this block.
    fn block(self) -> u32;

    /// Blocks of the grid.
    fn blocks(self) -> u32;

    /// Threads of a block.
    fn threads(self) -> u32;

    /// Runs `work` in each thread of the block, with the thread's number.
    fn threads_do(self, work: impl FnMut(u32));

    /// As [`threads_do`](Grid::threads_do); afterwards all threads see what each has written.
    fn phase(self, work: impl FnMut(u32));

    /// As [`phase`](Grid::phase), in the threads below `first` alone.
    fn phase_of(self, first: u32, work: impl FnMut(u32));

    /// What the threads of a block keep of their own from one phase to the next, in registers of a GPU.
    type Kept<S: Copy>;

    /// The same for each thread to begin with.
    fn keep<S: Copy>(self, first: S) -> Self::Kept<S>;

    /// As [`phase`](Grid::phase), with what each thread keeps.
    fn phase_with<S: Copy>(self, kept: &mut Self::Kept<S>, work: impl FnMut(u32, &mut S));

    /// The block's shared memory, aligned to 16 bytes.
    fn shared(self) -> *mut u8;

    /// Calls `work` with each of the numbers below `count`, which the blocks of the grid share out.
    #[inline(always)]
    fn units(self, count: u64, mut work: impl FnMut(u64)) {
        let mut unit = self.block() as u64;
        while unit < count {
            work(unit);
            unit += self.blocks() as u64;
        }
    }

    /// As [`each`](Grid::each), by first number and length of runs of neighbours. None is longer than `RUN`, nor goes on beyond a
    /// multiple of `row`, of which `count` is one.
    #[cfg(not(target_arch = "nvptx64"))]
    fn runs(self, count: u64, row: u64, work: impl FnMut(u64, usize));

    /// Calls `work` with each of the numbers below `count`, which the threads of the grid share out. `count` and the
    /// number of threads are below 2^31 where `I` is `u32`.
    #[inline(always)]
    fn each<I: Index>(self, count: I, mut work: impl FnMut(I)) {
        self.threads_do(|thread| {
            let step = I::product(self.blocks(), self.threads());
            let mut index = I::product(self.block(), self.threads()).plus(I::product(thread, 1));
            while index < count {
                work(index);
                index = index.plus(step);
            }
        });
    }
}

/// A number of an item.
pub trait Index: Copy + PartialOrd {
    /// `a` times `b`.
    fn product(a: u32, b: u32) -> Self;

    /// Their sum.
    fn plus(self, other: Self) -> Self;

    /// The first number of part `part` of `parts` equal parts of the numbers below this one.
    fn start_of(self, part: u32, parts: u32) -> Self;
}

macro_rules! index {
    ($($t:ident)*) => {$(
        impl Index for $t {
            #[inline(always)]
            fn product(a: u32, b: u32) -> Self {
                (a as $t).wrapping_mul(b as $t)
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn start_of(self, part: u32, parts: u32) -> Self {
                (self as u128 * part as u128 / parts as u128) as $t
            }
        }
    )*};
}
index!(u32 u64);

/// A thread of a GPU.
#[cfg(target_arch = "nvptx64")]
#[derive(Clone, Copy)]
pub struct Device;

#[cfg(target_arch = "nvptx64")]
core::arch::global_asm!(".extern .shared .align 16 .b8 swathe_shared[];");

#[cfg(target_arch = "nvptx64")]
impl Grid for Device {
    #[inline(always)]
    fn block(self) -> u32 {
        // SAFETY: reads a register.
        unsafe { core::arch::nvptx::_block_idx_x() as u32 }
    }

    #[inline(always)]
    fn blocks(self) -> u32 {
        // SAFETY: reads a register.
        unsafe { core::arch::nvptx::_grid_dim_x() as u32 }
    }

    #[inline(always)]
    fn threads(self) -> u32 {
        // SAFETY: reads a register.
        unsafe { core::arch::nvptx::_block_dim_x() as u32 }
    }

    #[inline(always)]
    fn threads_do(self, mut work: impl FnMut(u32)) {
        // SAFETY: reads a register.
        work(unsafe { core::arch::nvptx::_thread_idx_x() as u32 });
    }

    #[inline(always)]
    fn phase(self, work: impl FnMut(u32)) {
        self.threads_do(work);
        // SAFETY: kernels call `phase` outside of their threads' own control flow, so that all threads arrive.
        unsafe { core::arch::nvptx::_syncthreads() };
    }

    #[inline(always)]
    fn phase_of(self, first: u32, mut work: impl FnMut(u32)) {
        self.phase(|thread| {
            if thread < first {
                work(thread);
            }
        });
    }

    type Kept<S: Copy> = S;

    #[inline(always)]
    fn keep<S: Copy>(self, first: S) -> S {
        first
    }

    #[inline(always)]
    fn phase_with<S: Copy>(self, kept: &mut S, mut work: impl FnMut(u32, &mut S)) {
        self.phase(|thread| work(thread, kept));
    }

    #[inline(always)]
    fn shared(self) -> *mut u8 {
        let memory: *mut u8;
        // SAFETY: takes an address.
        unsafe {
            core::arch::asm!(
                "cvta.shared.u64 {}, swathe_shared;",
                out(reg64) memory,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        memory
    }
}

/// A block whose threads run one after the other: several where they work on phases together, else one.
#[cfg(not(target_arch = "nvptx64"))]
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// The number of the block.
    pub block: u32,
    /// Blocks of the grid.
    pub blocks: u32,
    /// Threads of the block.
    pub threads: u32,
    /// Shared memory, aligned to 16 bytes.
    pub shared: *mut u8,
}

/// Room for a value of each number of a run.
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) struct Results<T>([core::mem::MaybeUninit<T>; RUN]);

#[cfg(not(target_arch = "nvptx64"))]
impl<T: Copy> Results<T> {
    #[inline(always)]
    pub fn uninit() -> Results<T> {
        Results([const { core::mem::MaybeUninit::uninit() }; RUN])
    }

    /// The first `run` of them, with a value each.
    #[inline(always)]
    pub fn filled(&mut self, run: usize, value: impl Fn(usize) -> T) -> &mut [T] {
        let places = &mut self.0[..run];
        for (k, place) in places.iter_mut().enumerate() {
            place.write(value(k));
        }
        // SAFETY: each was written; places are as their values.
        unsafe { core::slice::from_raw_parts_mut(places.as_mut_ptr().cast(), run) }
    }
}

#[cfg(not(target_arch = "nvptx64"))]
impl Grid for Host {
    #[inline(always)]
    fn block(self) -> u32 {
        self.block
    }

    #[inline(always)]
    fn blocks(self) -> u32 {
        self.blocks
    }

    #[inline(always)]
    fn threads(self) -> u32 {
        self.threads
    }

    #[inline(always)]
    fn threads_do(self, work: impl FnMut(u32)) {
        (0..self.threads).for_each(work);
    }

    #[inline(always)]
    fn phase(self, work: impl FnMut(u32)) {
        self.threads_do(work);
    }

    #[inline(always)]
    fn phase_of(self, first: u32, work: impl FnMut(u32)) {
        (0..first).for_each(work);
    }

    type Kept<S: Copy> = Vec<S>;

    fn keep<S: Copy>(self, first: S) -> Vec<S> {
        vec![first; self.threads as usize]
    }

    #[inline(always)]
    fn phase_with<S: Copy>(self, kept: &mut Vec<S>, mut work: impl FnMut(u32, &mut S)) {
        for (thread, kept) in kept.iter_mut().enumerate() {
            work(thread as u32, kept);
        }
    }

    #[inline(always)]
    fn shared(self) -> *mut u8 {
        self.shared
    }

    /// Each block has neighbours.
    #[inline(always)]
    fn units(self, count: u64, work: impl FnMut(u64)) {
        (count.start_of(self.block, self.blocks)..count.start_of(self.block + 1, self.blocks)).for_each(work);
    }

    #[inline(always)]
    fn runs(self, count: u64, row: u64, mut work: impl FnMut(u64, usize)) {
        // All of a row are about as long, so that none reads less than a line of the cache from each row of items.
        let in_row = row.div_ceil(RUN as u64);
        let most = row.div_ceil(in_row).next_multiple_of(16);
        let runs = count / row * in_row;
        let (first, end) = (
            runs.start_of(self.block, self.blocks),
            runs.start_of(self.block + 1, self.blocks),
        );
        let (mut start, mut number) = (first / in_row * row, first % in_row);
        for _ in first..end {
            // Less than the row: there are no more full runs in it than `in_row` less one.
            let skipped = number * most;
            work(start + skipped, (row - skipped).min(most) as usize);
            number += 1;
            if number == in_row {
                (start, number) = (start + row, 0);
            }
        }
    }

    /// Each block has neighbours, so that the loop may be vectorised, and threads of the host do not share lines of the cache.
    #[inline(always)]
    fn each<I: Index>(self, count: I, mut work: impl FnMut(I)) {
        let mut index = count.start_of(self.block, self.blocks);
        let end = count.start_of(self.block + 1, self.blocks);
        while index < end {
            work(index);
            index = index.plus(I::product(1, 1));
        }
    }
}
