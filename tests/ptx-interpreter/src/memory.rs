//! Memory that a kernel may access.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::error::{Cause, Error};
use crate::instruction::Extreme;
use crate::operand::Type;
use crate::regions::Regions;

/// Who accessed a byte of shared memory since a barrier.
#[derive(Clone, Copy, Default)]
struct Shadow {
    /// The interval between two barriers.
    epoch: u32,
    writer: Writer,
    reader: Reader,
}

#[derive(Clone, Copy, Default)]
enum Writer {
    /// Nobody in this block.
    #[default]
    Never,
    /// Somebody before the last barrier.
    Before,
    Thread(u16),
}

#[derive(Clone, Copy, Default)]
enum Reader {
    #[default]
    Nobody,
    Thread(u16),
    Several,
}

/// Of one block after the other.
pub(crate) struct Memory<'a> {
    regions: &'a Regions,
    shared: Vec<u128>,
    bytes: usize,
    shadow: Vec<Shadow>,
    epoch: u32,
}

impl<'a> Memory<'a> {
    pub fn new(regions: &'a Regions, shared: usize) -> Memory<'a> {
        Memory {
            regions,
            shared: vec![0; shared.div_ceil(16)],
            bytes: shared,
            shadow: vec![Shadow::default(); shared],
            epoch: 0,
        }
    }

    /// A block starts.
    pub fn start(&mut self) {
        self.shadow.fill(Shadow::default());
        self.epoch = 1;
    }

    pub fn barrier(&mut self) {
        self.epoch += 1;
    }

    pub fn shared(&self) -> u64 {
        self.shared.as_ptr().expose_provenance() as u64
    }

    /// A place where `thread` may read or write a value.
    pub fn place(
        &mut self,
        address: u64,
        ty: Type,
        space: Option<bool>,
        write: bool,
        thread: u32,
    ) -> Result<Place, Error> {
        let size = ty.bytes() as u64;
        if !address.is_multiple_of(size) {
            return Err(refusal(Cause::Misaligned(address), size, write, thread));
        }
        let start = address.wrapping_sub(self.shared());
        let in_shared = start < self.bytes as u64 && self.bytes as u64 - start >= size;
        let allowed = match space {
            Some(shared) if shared != in_shared => false,
            _ => in_shared || self.regions.allow(address, size, write),
        };
        if !allowed {
            return Err(refusal(Cause::Outside(address), size, write, thread));
        }
        if in_shared {
            for byte in start..start + size {
                self.note(byte as usize, write, thread as u16)?;
            }
        }
        Ok(Place {
            at: std::ptr::with_exposed_provenance_mut(address as usize),
            ty,
        })
    }

    fn note(&mut self, byte: usize, write: bool, thread: u16) -> Result<(), Error> {
        let shadow = &mut self.shadow[byte];
        if shadow.epoch != self.epoch {
            shadow.epoch = self.epoch;
            shadow.reader = Reader::Nobody;
            if let Writer::Thread(_) = shadow.writer {
                shadow.writer = Writer::Before;
            }
        }
        let written_by_another = matches!(shadow.writer, Writer::Thread(who) if who != thread);
        let read_by_another = match shadow.reader {
            Reader::Nobody => false,
            Reader::Thread(who) => who != thread,
            Reader::Several => true,
        };
        if written_by_another || write && read_by_another {
            return Err(Error::from(format!(
                "thread {thread} and another one access byte {byte} of shared memory"
            )));
        }
        if write {
            shadow.writer = Writer::Thread(thread);
        } else {
            if let Writer::Never = shadow.writer {
                return Err(Error::from(format!(
                    "thread {thread} reads byte {byte} of shared memory, which nobody has written"
                )));
            }
            shadow.reader = match read_by_another {
                true => Reader::Several,
                false => Reader::Thread(thread),
            };
        }
        Ok(())
    }
}

#[cold]
fn refusal(cause: Cause, size: u64, write: bool, thread: u32) -> Error {
    let verb = if write { "writes" } else { "reads" };
    let (address, why) = match cause {
        Cause::Misaligned(address) => (address, "is not aligned"),
        Cause::Outside(address) => (address, "it must not"),
        Cause::Other => (0, "is wrong"),
    };
    let text = format!("thread {thread} {verb} {size} bytes at {address:#x}, which {why}");
    Error { cause, text }
}

/// Where a value lies. Blocks may run at the same time, so that every access is atomic.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    at: *mut u8,
    ty: Type,
}

impl Place {
    /// Reads the value.
    ///
    /// # Safety
    /// The regions are there.
    pub unsafe fn load(self) -> u64 {
        // SAFETY: [`Memory::place`] has checked place and alignment.
        let value = unsafe {
            match self.ty.bits {
                8 => u64::from(AtomicU8::from_ptr(self.at).load(Relaxed)),
                16 => u64::from(AtomicU16::from_ptr(self.at.cast()).load(Relaxed)),
                32 => u64::from(AtomicU32::from_ptr(self.at.cast()).load(Relaxed)),
                _ => AtomicU64::from_ptr(self.at.cast()).load(Relaxed),
            }
        };
        self.ty.extend(value)
    }

    /// Writes a value.
    ///
    /// # Safety
    /// The regions are there.
    pub unsafe fn store(self, value: u64) {
        // SAFETY: as above; the place may be written.
        unsafe {
            match self.ty.bits {
                8 => AtomicU8::from_ptr(self.at).store(value as u8, Relaxed),
                16 => AtomicU16::from_ptr(self.at.cast()).store(value as u16, Relaxed),
                32 => AtomicU32::from_ptr(self.at.cast()).store(value as u32, Relaxed),
                _ => AtomicU64::from_ptr(self.at.cast()).store(value, Relaxed),
            }
        }
    }

    /// Writes the lesser or the greater one of the value there and this one, and returns what was there: of `u32` or `u64`.
    ///
    /// # Safety
    /// The regions are there.
    pub unsafe fn extreme(self, extreme: Extreme, value: u64) -> u64 {
        // SAFETY: as above.
        unsafe {
            let (narrow, wide) = (
                || AtomicU32::from_ptr(self.at.cast()),
                || AtomicU64::from_ptr(self.at.cast()),
            );
            match (extreme, self.ty.bits) {
                (Extreme::Min, 32) => u64::from(narrow().fetch_min(value as u32, Relaxed)),
                (Extreme::Max, 32) => u64::from(narrow().fetch_max(value as u32, Relaxed)),
                (Extreme::Min, _) => wide().fetch_min(value, Relaxed),
                (Extreme::Max, _) => wide().fetch_max(value, Relaxed),
            }
        }
    }
}
