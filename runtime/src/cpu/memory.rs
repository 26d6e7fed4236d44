//! Memory of the CPU device.

use std::alloc::{Layout, alloc, alloc_zeroed};
use std::any::Any;
use std::ops::Range;
use std::ptr::NonNull;

#[cfg(target_os = "linux")]
use super::guarded;
use swathe_device_kernels::Launch;

use crate::device::capture;
use crate::device::{Backend, Init, MemoryInfo};
use crate::element::MOST_ALIGNED;
use crate::error::{Error, Result};
use crate::host::SendPtr;
use crate::host::copy::{BLOCK, copy, cost};
use crate::host::pool::{self, Block};
use crate::host::{pages, parallel, team};

/// A cache line, and the widest vector register.
const ALIGN: usize = MOST_ALIGNED;

/// The CPU's [`Backend`].
pub(crate) struct Cpu {
    /// Gives the backend an address of its own.
    _address: u8,
}

impl Cpu {
    pub(crate) const fn new() -> Cpu {
        Cpu { _address: 0 }
    }
}

fn out_of_memory(bytes: usize) -> Error {
    Error::OutOfMemory {
        bytes,
        place: "cpu".to_owned(),
    }
}

fn refuse_write() -> Result<()> {
    capture::refuse_on_cpu(|| "writing to a field of the CPU".to_owned())
}

/// Layout of an allocation whose first aligned address after its start is what the caller gets; the pointer to the
/// start lies right before that.
fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes.checked_add(ALIGN)?, pool::ALIGN).ok()
}

/// New memory; null if there is none.
fn fresh(layout: Layout, init: Init) -> *mut u8 {
    // SAFETY: the size is at least `ALIGN`.
    unsafe {
        match init {
            Init::Zeroed => alloc_zeroed(layout),
            Init::Uninit => alloc(layout),
        }
    }
}

/// Memory that was used before.
///
/// # Safety
/// The block is one of [`layout`]'s for so many bytes, that [`Cpu::alloc`] made, and nobody has it.
unsafe fn again(block: Block, bytes: usize, init: Init) -> NonNull<u8> {
    let start = std::ptr::with_exposed_provenance_mut::<u8>(block.at);
    let shift = ALIGN - start.addr() % ALIGN;
    // SAFETY: as `alloc` has it, which also wrote the start before the address.
    let at = unsafe { start.add(shift) };
    if init == Init::Zeroed {
        let to = SendPtr::new(at);
        let clear = |range: Range<usize>| {
            let (start, end) = (range.start * BLOCK, (range.end * BLOCK).min(bytes));
            // SAFETY: inside of the memory, and each block in one range.
            unsafe { to.get().add(start).write_bytes(0, end - start) };
        };
        let blocks = bytes.div_ceil(BLOCK);
        match team::member() {
            // A thread of a loop does not wait for others.
            Some(_) => clear(0..blocks),
            None => parallel::for_each(blocks, Some(cost(BLOCK)), clear),
        }
    }
    // SAFETY: not null, as it is inside of an allocation.
    unsafe { NonNull::new_unchecked(at) }
}

// SAFETY: the memory comes from the global allocator and is not shared; all methods work synchronously.
unsafe impl Backend for Cpu {
    fn name(&self) -> &str {
        "cpu"
    }

    fn is_host(&self) -> bool {
        true
    }

    fn alloc(&self, bytes: usize, init: Init) -> Result<NonNull<u8>> {
        capture::refuse_on_cpu(|| "the allocation of a field of the CPU".to_owned())?;
        #[cfg(target_os = "linux")]
        if guarded::ON {
            return guarded::alloc(bytes).ok_or_else(|| out_of_memory(bytes));
        }
        let layout = layout(bytes).ok_or_else(|| out_of_memory(bytes))?;
        if let Some(block) = pool::take(layout.size()) {
            // SAFETY: it was made and used below with this layout, and freed since: nobody has it.
            return Ok(unsafe { again(block, bytes, init) });
        }
        let start = match fresh(layout, init) {
            // What is kept may be what is wanting.
            start if start.is_null() => {
                pool::clear();
                fresh(layout, init)
            }
            start => start,
        };
        if start.is_null() {
            return Err(out_of_memory(bytes));
        }
        pool::got(layout.size());
        pages::advise(start, layout.size());
        let shift = ALIGN - start.addr() % ALIGN;
        // SAFETY: `start` is a multiple of 16, so that `shift` is 16, 32, 48 or 64: the pointer fits below `at`, and
        // `bytes` bytes fit above it.
        unsafe {
            let at = start.add(shift);
            at.cast::<*mut u8>().sub(1).write(start);
            Ok(NonNull::new_unchecked(at))
        }
    }

    unsafe fn free(&self, at: NonNull<u8>, bytes: usize) {
        #[cfg(target_os = "linux")]
        if guarded::ON {
            // SAFETY: by the caller's word.
            return unsafe { guarded::free(at, bytes) };
        }
        if let Some(layout) = layout(bytes) {
            // SAFETY: by the caller's word `alloc` made this with the same layout, and wrote the start before `at`.
            let start = unsafe { at.as_ptr().cast::<*mut u8>().sub(1).read() };
            let block = Block {
                at: start.expose_provenance(),
                bytes: layout.size(),
            };
            // SAFETY: as above, and nobody has it any more.
            unsafe {
                match pool::is_small(block.bytes) {
                    true => block.free(),
                    false => pool::put(block),
                }
            }
        }
    }

    unsafe fn upload(&self, to: NonNull<u8>, from: *const u8, bytes: usize) -> Result<()> {
        refuse_write()?;
        // SAFETY: by the caller's word.
        unsafe { copy(to.as_ptr(), from, bytes) };
        Ok(())
    }

    unsafe fn download(&self, to: *mut u8, from: NonNull<u8>, bytes: usize) -> Result<()> {
        // SAFETY: by the caller's word.
        unsafe { copy(to, from.as_ptr(), bytes) };
        Ok(())
    }

    unsafe fn copy(&self, to: NonNull<u8>, from: NonNull<u8>, bytes: usize) -> Result<()> {
        refuse_write()?;
        // SAFETY: by the caller's word.
        unsafe { copy(to.as_ptr(), from.as_ptr(), bytes) };
        Ok(())
    }

    fn memory(&self) -> Result<MemoryInfo> {
        memory_of_linux().ok_or(Error::Unknown {
            what: "the size of the memory",
        })
    }

    unsafe fn fill(&self, to: NonNull<u8>, value: *const u8, size: usize, count: usize) -> Result<()> {
        refuse_write()?;
        let first = (BLOCK / size).clamp(1, count);
        let block = first * size;
        // SAFETY: by the caller's word there is room for `count` values; each step writes into the rest of the first
        // block, from the part of it that is written already.
        unsafe {
            std::ptr::copy_nonoverlapping(value, to.as_ptr(), size);
            let mut done = size;
            while done < block {
                let step = done.min(block - done);
                std::ptr::copy_nonoverlapping(to.as_ptr(), to.as_ptr().add(done), step);
                done += step;
            }
        }
        let bytes = size * count;
        let start = SendPtr::new(to.as_ptr());
        parallel::for_each(bytes.div_ceil(block) - 1, Some(cost(block)), |range: Range<usize>| {
            for k in range {
                let at = (k + 1) * block;
                // SAFETY: block `k + 1` starts inside the memory, and this iteration alone writes it; block 0 is
                // complete and only read.
                unsafe {
                    std::ptr::copy_nonoverlapping(start.get(), start.get().add(at), block.min(bytes - at));
                }
            }
        });
        Ok(())
    }

    unsafe fn run(&self, launches: &[Launch], _: &[(NonNull<u8>, bool)]) -> Result<()> {
        capture::refuse_on_cpu(|| "an operation on a field of the CPU".to_owned())?;
        for launch in launches {
            let blocks = launch.host_blocks();
            parallel::for_each(blocks as usize, None, |range| {
                for block in range {
                    // SAFETY: by the caller's word; blocks are independent of each other.
                    unsafe { launch.run_block_on_host(block as u32) };
                }
            });
        }
        Ok(())
    }

    fn as_any(&'static self) -> &'static dyn Any {
        self
    }
}

/// What Linux says of the memory.
fn memory_of_linux() -> Option<MemoryInfo> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let bytes = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        let kib: usize = line.split_whitespace().next()?.parse().ok()?;
        Some(kib * 1024)
    };
    Some(MemoryInfo {
        total: bytes("MemTotal:")?,
        free: bytes("MemAvailable:")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_there_is_not_does_not_count() {
        if cfg!(swathe_fresh) {
            return;
        }
        let most = isize::MAX as usize - 2 * ALIGN;
        // Several at once, each of them half of what a `usize` counts.
        std::thread::scope(|scope| {
            for init in [Init::Zeroed, Init::Uninit, Init::Zeroed, Init::Uninit] {
                scope.spawn(move || {
                    let refused = Cpu::new().alloc(most, init);
                    assert!(matches!(refused, Err(Error::OutOfMemory { bytes, .. }) if bytes == most));
                });
            }
        });
        assert!(pool::peak() < most / 2, "{}", pool::peak());
    }
}
