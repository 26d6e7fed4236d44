//! Device memory: each allocation in pages of its own, with its end at the end of a page and nothing mapped around it.
//! A kernel that reads or writes further faults at once; the few bytes between are filled with a pattern and checked.
//! Freed memory stays unmapped for a long time.

use std::collections::{BTreeMap, VecDeque};
use std::ptr::null_mut;
use std::sync::Arc;

use swathe_ptx_interpreter::Written;

use crate::config::{Code as Runs, Config};
use crate::error::{Code, Result};
use crate::findings::found;

const PAGE: usize = 4096;
/// Unmapped on both sides of an allocation; addresses cost nothing.
const GAP: usize = 1 << 20;
pub(crate) const ALIGN: usize = 256;
const GUARD: u8 = 0xFD;
/// Fresh memory: two signalling NaNs of 32 bits or one of 64, and no small integer.
pub(crate) const FRESH: u64 = 0x7FF7_DEAD_7FB7_DEAD;
/// Of a larger allocation the two ends only are filled, so that memory nobody touches costs nothing.
const FILLED: usize = 32 << 20;
const QUARANTINE: usize = 8192;
/// Bytes before an allocation that are looked at whenever a kernel has run; all of them at the end.
const NEAR: usize = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Device,
    Managed,
    /// Pinned host memory.
    Host,
    /// A variable of a module.
    Global,
    /// Registered host memory.
    Registered,
}

/// An allocation.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub base: usize,
    pub size: usize,
    pub place: Place,
    pub device: usize,
    pub context: usize,
    pub pool: Option<usize>,
    /// A graph allocates it anew at each launch.
    pub graph: Option<usize>,
    /// A `cuMemFreeAsync` waits in a stream.
    pub freeing: bool,
    /// Where PTX reads device memory: which bytes are written.
    pub written: Option<Arc<Written>>,
    map: usize,
    length: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Memory {
    blocks: BTreeMap<usize, Block>,
    freed: BTreeMap<usize, Block>,
    order: VecDeque<usize>,
    used: BTreeMap<usize, usize>,
}

fn map(length: usize) -> Option<usize> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new mapping at a place that the system chooses.
    let at = unsafe { libc::mmap(null_mut(), length, libc::PROT_NONE, flags, -1, 0) };
    (at != libc::MAP_FAILED).then_some(at as usize)
}

fn fill(at: usize, bytes: usize) {
    // SAFETY: callers pass ranges inside the readable part of a live allocation.
    let cells = unsafe { std::slice::from_raw_parts_mut(at as *mut u8, bytes) };
    let pattern = FRESH.to_le_bytes();
    for cell in cells.chunks_mut(8) {
        cell.copy_from_slice(&pattern[..cell.len()]);
    }
}

impl Block {
    fn whole(base: usize, size: usize, place: Place) -> Block {
        Block {
            base,
            size,
            place,
            device: 0,
            context: 0,
            pool: None,
            graph: None,
            freeing: false,
            written: None,
            map: 0,
            length: 0,
        }
    }

    /// Fills it with the pattern of fresh memory.
    pub(crate) fn freshen(&self) {
        self.note(self.base, self.size, false);
        if self.size <= 2 * FILLED {
            fill(self.base, self.size);
        } else {
            fill(self.base, FILLED);
            fill(self.base + self.size - FILLED, FILLED);
        }
    }

    /// Notes that so many bytes from an address on are written, or are not.
    pub(crate) fn note(&self, address: usize, bytes: usize, written: bool) {
        if let Some(shadow) = &self.written {
            shadow.set(address - self.base, bytes, written);
        }
    }

    fn guards(&self, far: bool) -> [(usize, usize); 2] {
        let start = self.map + GAP;
        let before = if far {
            start
        } else {
            start.max(self.base.saturating_sub(NEAR))
        };
        let end = self.base + self.size;
        [(before, self.base - before), (end, self.map + self.length - GAP - end)]
    }

    /// A byte around the allocation that something wrote to, as an offset from its start.
    fn damage(&self, far: bool) -> Option<isize> {
        if self.map == 0 {
            return None;
        }
        for (at, length) in self.guards(far) {
            // SAFETY: the guards are readable parts of the mapping.
            let bytes = unsafe { std::slice::from_raw_parts(at as *const u8, length) };
            if let Some(k) = bytes.iter().position(|&b| b != GUARD) {
                return Some((at + k) as isize - self.base as isize);
            }
        }
        None
    }

    fn repair(&self) {
        for (at, length) in self.guards(true) {
            // SAFETY: the guards are writable parts of the mapping.
            unsafe { std::ptr::write_bytes(at as *mut u8, GUARD, length) };
        }
    }

    fn counts(&self) -> bool {
        matches!(self.place, Place::Device | Place::Managed)
    }
}

impl Memory {
    pub(crate) fn allocate(&mut self, size: usize, place: Place, device: usize, context: usize) -> Result<usize> {
        if size == 0 {
            return Err(Code::INVALID_VALUE);
        }
        let counts = matches!(place, Place::Device | Place::Managed);
        let rounded = size.checked_next_multiple_of(ALIGN).ok_or(Code::OUT_OF_MEMORY)?;
        if counts && rounded > Config::get().memory.saturating_sub(self.used(device)) {
            return Err(Code::OUT_OF_MEMORY);
        }
        let pages = rounded.checked_next_multiple_of(PAGE).ok_or(Code::OUT_OF_MEMORY)?;
        let length = pages.checked_add(2 * GAP).ok_or(Code::OUT_OF_MEMORY)?;
        let map = map(length).ok_or(Code::OUT_OF_MEMORY)?;
        // SAFETY: the range lies within the mapping made above.
        let open = unsafe { libc::mprotect((map + GAP) as *mut _, pages, libc::PROT_READ | libc::PROT_WRITE) };
        if open != 0 {
            return Err(Code::OUT_OF_MEMORY);
        }
        let base = map + GAP + pages - rounded;
        let block = Block {
            device,
            context,
            // The host reaches other memory without a call.
            written: (place == Place::Device && Config::get().code == Runs::Ptx).then(|| Arc::new(Written::new(size))),
            map,
            length,
            ..Block::whole(base, size, place)
        };
        block.repair();
        block.freshen();
        if counts {
            *self.used.entry(device).or_default() += rounded;
        }
        self.blocks.insert(base, block);
        Ok(base)
    }

    /// Makes memory known that something else owns.
    pub(crate) fn adopt(&mut self, base: usize, size: usize, place: Place, device: usize, context: usize) {
        self.blocks.insert(
            base,
            Block {
                device,
                context,
                ..Block::whole(base, size, place)
            },
        );
    }

    pub(crate) fn disown(&mut self, base: usize) -> Option<Block> {
        self.blocks.remove(&base)
    }

    /// Frees an allocation; `Err` with its damage if something wrote around it.
    pub(crate) fn free(&mut self, base: usize) -> std::result::Result<(), String> {
        let Some(block) = self.blocks.remove(&base) else {
            return Ok(());
        };
        let damage = block.damage(true).map(|at| describe(&block, at));
        if block.counts() {
            *self.used.entry(block.device).or_default() -= block.size.next_multiple_of(ALIGN);
        }
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED;
        // SAFETY: replaces the allocation's own mapping; nothing enqueued before uses it any more.
        unsafe { libc::mmap(block.map as *mut _, block.length, libc::PROT_NONE, flags, -1, 0) };
        self.order.push_back(base);
        self.freed.insert(base, block);
        while self.order.len() > QUARANTINE {
            let oldest = self.order.pop_front().and_then(|b| self.freed.remove(&b));
            if let Some(old) = oldest {
                // SAFETY: as above; afterwards the addresses may be used again.
                unsafe { libc::munmap(old.map as *mut _, old.length) };
            }
        }
        damage.map_or(Ok(()), Err)
    }

    /// The allocation that holds this address, or ends there.
    pub(crate) fn around(&self, address: usize) -> Option<&Block> {
        let block = self.blocks.range(..=address).next_back()?.1;
        (address <= block.base + block.size).then_some(block)
    }

    /// Notes a copy: what was not written there is not written here.
    pub(crate) fn note_copy(&self, to: usize, from: Option<usize>, bytes: usize) {
        let Some(block) = self.around(to) else { return };
        let source = from.and_then(|from| Some((from, self.around(from)?)));
        match source.and_then(|(from, block)| Some((from - block.base, block.written.as_ref()?))) {
            Some((start, shadow)) if !shadow.all(start, bytes) => {
                let each: Vec<bool> = shadow.each(start, bytes).collect();
                for (k, written) in each.into_iter().enumerate() {
                    block.note(to + k, 1, written);
                }
            }
            _ => block.note(to, bytes, true),
        }
    }

    pub(crate) fn block(&self, base: usize) -> Option<&Block> {
        self.blocks.get(&base)
    }

    pub(crate) fn block_mut(&mut self, base: usize) -> Option<&mut Block> {
        self.blocks.get_mut(&base)
    }

    pub(crate) fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.blocks.values()
    }

    /// Checks that a range lies within one allocation that the device can reach.
    pub(crate) fn check(&self, what: &str, address: usize, bytes: usize) -> Result<&Block> {
        if let Some(block) = self.around(address)
            && (address < block.base + block.size || bytes == 0)
        {
            if block.freeing {
                found(format_args!("{what}: {address:#x} is freed memory"));
                return Err(Code::INVALID_VALUE);
            }
            if bytes > block.base + block.size - address {
                let past = address - block.base + bytes - block.size;
                found(format_args!(
                    "{what}: {bytes} bytes at {address:#x} end {past} bytes behind an allocation of {}",
                    block.size
                ));
                return Err(Code::INVALID_VALUE);
            }
            return Ok(block);
        }
        found(format_args!("{what}: {}", self.locate(address)));
        Err(Code::INVALID_VALUE)
    }

    /// Where an address lies, in words.
    pub(crate) fn locate(&self, address: usize) -> String {
        let end = address.saturating_add(GAP + PAGE);
        for (blocks, kind) in [(&self.freed, "freed memory"), (&self.blocks, "an allocation")] {
            for block in blocks.range(..=end).rev().take(2).map(|(_, b)| b) {
                if block.map != 0 && (block.map..block.map + block.length).contains(&address) {
                    let at = address as isize - block.base as isize;
                    return format!("{address:#x} lies at offset {at} of {kind} of {} bytes", block.size);
                }
            }
        }
        format!("{address:#x} is no device memory")
    }

    pub(crate) fn was_freed(&self, base: usize) -> bool {
        self.freed.contains_key(&base)
    }

    /// The first allocation of a context around which something was written; repairs all.
    pub(crate) fn damage(&self, context: usize) -> Option<String> {
        let mut first = None;
        for block in self.blocks.values().filter(|b| b.context == context) {
            if let Some(at) = block.damage(false) {
                first.get_or_insert_with(|| describe(block, at));
                block.repair();
            }
        }
        first
    }

    pub(crate) fn used(&self, device: usize) -> usize {
        self.used.get(&device).copied().unwrap_or(0)
    }
}

fn describe(block: &Block, at: isize) -> String {
    format!(
        "a write at offset {at} of an allocation of {} bytes at {:#x}",
        block.size, block.base
    )
}
