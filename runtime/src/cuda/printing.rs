//! What kernels print on a device, on its way to the host.
//!
//! A ring in the host's memory takes the bits of the values; the next call that waits writes the texts. A kernel takes words of
//! the ring by an atomic operation on the device's memory, says so to the host, and writes the first of an entry last. The host alone moves the
//! end of what was read, and zeroes what it has read before.

use std::collections::VecDeque;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use super::device::{CudaDevice, lock};
use super::module::Kernel;
use super::pinned::Pinned;
use crate::codegen::Entry;
use crate::error::Result;
use crate::host::print;
use swathe_ir::Output;

/// The ring of a device, once a kernel prints.
#[derive(Default)]
pub(super) struct Ring {
    memory: Option<Pinned>,
    /// Where [`Entry::TAKEN_WORDS`] lie on the device.
    taken: Option<u64>,
    /// How many of the texts that were lost have been told.
    told: u64,
    /// The kernels that print, by number.
    kernels: Vec<&'static Kernel>,
    /// Texts that were taken out of it and are not written yet.
    texts: VecDeque<(Output, String)>,
    /// Whether a thread is writing them.
    is_written: bool,
}

impl Ring {
    /// # Safety
    /// It is a word of the ring.
    unsafe fn word(memory: Pinned, k: usize) -> &'static AtomicU64 {
        let word: NonNull<AtomicU64> = memory.host.cast();
        // SAFETY: by the caller's word; the memory is never freed, and the device, too, writes whole words.
        unsafe { word.add(k).as_ref() }
    }

    /// The kernel's number.
    fn number(&mut self, kernel: &'static Kernel) -> usize {
        let known = self.kernels.iter().position(|other| std::ptr::eq(*other, kernel));
        known.unwrap_or_else(|| {
            self.kernels.push(kernel);
            self.kernels.len() - 1
        })
    }

    /// Whether there is anything to read.
    fn is_empty(&self) -> bool {
        let Some(memory) = self.memory else { return true };
        // SAFETY: both are words of the ring.
        let [used, read] = [0, 1].map(|k| unsafe { Ring::word(memory, k) }.load(Ordering::Acquire));
        used == read && Ring::loses(memory).load(Ordering::Relaxed) == 0
    }

    /// Whether texts were lost since the host has made it 0.
    fn loses(memory: Pinned) -> &'static AtomicU64 {
        // SAFETY: a word of the ring.
        unsafe { Ring::word(memory, 2) }
    }

    /// Takes the texts of all entries that are whole; whether these are all that were taken by what has ended.
    fn take(&mut self, memory: Pinned) -> bool {
        let entry = |k: u64| {
            let k = Entry::RING_START + (k as usize) % Entry::RING_WORDS;
            // SAFETY: it is below the ring's end.
            unsafe { Ring::word(memory, k) }
        };
        // SAFETY: both are words of the ring.
        let [used, read] = [0, 1].map(|k| unsafe { Ring::word(memory, k) });
        let mut at = read.load(Ordering::Relaxed);
        // Words are added when they are taken, in any order: only with those before it is an entry below their sum.
        while at < used.load(Ordering::Acquire) {
            let head = entry(at).load(Ordering::Acquire);
            if head == 0 {
                return false;
            }
            let kernel = self.kernels.get((head >> 32) as usize);
            let Some((kernel, words)) = kernel.and_then(|kernel| Some((kernel, kernel.printed_words(head & SITE)?)))
            else {
                // Nothing of ours wrote it; how long it is, is not known.
                read.store(used.load(Ordering::Acquire), Ordering::Release);
                return true;
            };
            let values: Vec<u64> = (1..=words).map(|k| entry(at + k).load(Ordering::Relaxed)).collect();
            self.texts.extend(kernel.printed(head & SITE, &values));
            (0..=words).for_each(|k| entry(at + k).store(0, Ordering::Relaxed));
            at += words + 1;
            read.store(at, Ordering::Release);
        }
        true
    }
}

/// The part of an entry's first word that is the site, counted from 1.
const SITE: u64 = (1 << 32) - 1;

impl CudaDevice {
    /// Where a kernel prints: the address of the words that tell of the ring, and the kernel's number in it. The context is current.
    pub(super) fn printer(&self, kernel: &'static Kernel) -> Result<[u64; 2]> {
        let mut ring = lock(&self.ring);
        let memory = match ring.memory {
            Some(memory) => memory,
            None => {
                let bytes = 8 * (Entry::RING_START + Entry::RING_WORDS);
                let memory =
                    Pinned::alloc(bytes).map_err(|error| self.allocation_failed("cuMemHostAlloc", bytes, error))?;
                ring.memory = Some(memory);
                memory
            }
        };
        let taken = match ring.taken {
            Some(taken) => taken,
            None => {
                let words: [u64; Entry::TAKEN_WORDS] = [0, 0, memory.device];
                *ring.taken.insert(self.new_words(&words)?)
            }
        };
        Ok([taken, ring.number(kernel) as u64])
    }

    /// Writes what kernels have printed. What was waited for is whole; before it in the ring may be what still runs.
    pub(super) fn print(&self) -> Result<()> {
        let whole = {
            let mut ring = lock(&self.ring);
            match ring.memory {
                Some(memory) if !ring.is_empty() => ring.take(memory),
                _ => return Ok(()),
            }
        };
        if !whole {
            self.wait()?;
            let mut ring = lock(&self.ring);
            if let Some(memory) = ring.memory {
                ring.take(memory);
            }
        }
        self.write_texts();
        self.tell_lost()
    }

    /// Tells how many texts were lost.
    fn tell_lost(&self) -> Result<()> {
        let (memory, taken) = {
            let ring = lock(&self.ring);
            let (Some(memory), Some(taken)) = (ring.memory, ring.taken) else {
                return Ok(());
            };
            (memory, taken)
        };
        // First of all: what loses texts during the wait says so again.
        if Ring::loses(memory).swap(0, Ordering::AcqRel) == 0 {
            return Ok(());
        }
        let again = |_: &_| Ring::loses(memory).store(1, Ordering::Release);
        self.wait().inspect_err(again)?;
        // SAFETY: the words are never freed; the context is current.
        let [_, lost] = unsafe { self.read_words(taken) }.inspect_err(again)?;
        let count = {
            let mut ring = lock(&self.ring);
            let count = lost.saturating_sub(ring.told);
            ring.told += count;
            count
        };
        if count > 0 {
            let text = format!(
                "swathe: {count} texts that kernels printed on {} are lost: between two calls that wait there is room for {} KiB\n",
                self.label,
                Entry::RING_WORDS / 128
            );
            print::write(Output::Err, &text);
        }
        Ok(())
    }

    /// Writes in order what was taken out of the ring. The ring is not locked meanwhile: who holds the standard output may wait for the device. So one thread
    /// writes, and others that come leave theirs to it.
    fn write_texts(&self) {
        let next = |begins: bool| {
            let mut ring = lock(&self.ring);
            if begins && ring.is_written {
                return None;
            }
            let next = ring.texts.pop_front();
            ring.is_written = next.is_some();
            next
        };
        let mut text = next(true);
        while let Some((output, written)) = text {
            print::write(output, &written);
            text = next(false);
        }
    }
}
