//! Shared memory, which remembers who accessed what since the last barrier.

use crate::error::Error;
use crate::memory::Intent;

/// Who accessed a byte.
#[derive(Clone, Copy, Default)]
struct Shadow {
    /// The interval between two barriers.
    epoch: u32,
    writer: Writer,
    reader: Reader,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Writer {
    /// Nobody in this block.
    #[default]
    Never,
    /// Somebody before the last barrier.
    Before,
    Thread(u16),
    /// By atomic operations: one thread, or several.
    Atomic(u16),
    Atomics,
}

#[derive(Clone, Copy, Default)]
enum Reader {
    #[default]
    Nobody,
    Thread(u16),
    Several,
}

/// Of a block. Addresses of its space are offsets.
pub(crate) struct Shared {
    cells: Vec<u128>,
    shadow: Vec<Shadow>,
    epoch: u32,
}

impl Shared {
    pub fn new(bytes: usize) -> Shared {
        Shared {
            cells: vec![0; bytes.div_ceil(16)],
            shadow: vec![Shadow::default(); bytes],
            epoch: 0,
        }
    }

    pub fn start(&mut self) {
        self.shadow.fill(Shadow::default());
        self.epoch = 1;
    }

    pub fn barrier(&mut self) {
        self.epoch += 1;
    }

    /// The interval between two barriers, by number.
    pub fn epoch(&self) -> u32 {
        self.epoch
    }

    /// Where it begins among generic addresses.
    pub fn address(&self) -> u64 {
        self.cells.as_ptr().expose_provenance() as u64
    }

    /// The offset of a generic address, if so many bytes lie in it.
    pub fn offset(&self, address: u64, size: u64) -> Option<usize> {
        self.inside(address.wrapping_sub(self.address()), size)
    }

    pub fn inside(&self, offset: u64, size: u64) -> Option<usize> {
        let bytes = self.shadow.len() as u64;
        (offset < bytes && bytes - offset >= size).then_some(offset as usize)
    }

    /// Notes an access, which another order of threads must not change.
    pub fn note(&mut self, offset: usize, size: usize, intent: Intent, thread: u16) -> Result<(), Error> {
        (offset..offset + size).try_for_each(|byte| self.note_byte(byte, intent, thread))
    }

    fn note_byte(&mut self, byte: usize, intent: Intent, thread: u16) -> Result<(), Error> {
        let shadow = &mut self.shadow[byte];
        if shadow.epoch != self.epoch {
            shadow.epoch = self.epoch;
            shadow.reader = Reader::Nobody;
            if let Writer::Thread(_) | Writer::Atomic(_) | Writer::Atomics = shadow.writer {
                shadow.writer = Writer::Before;
            }
        }
        let written_by_another = match shadow.writer {
            Writer::Never | Writer::Before => false,
            Writer::Thread(who) => who != thread,
            Writer::Atomic(who) => who != thread && intent != Intent::Atomic,
            Writer::Atomics => intent != Intent::Atomic,
        };
        let read_by_another = match shadow.reader {
            Reader::Nobody => false,
            Reader::Thread(who) => who != thread,
            Reader::Several => true,
        };
        if written_by_another || intent != Intent::Read && read_by_another {
            return Err(Error::from(format!(
                "thread {thread} and another one access byte {byte} of shared memory"
            )));
        }
        if intent != Intent::Write && shadow.writer == Writer::Never {
            return Err(Error::from(format!(
                "thread {thread} reads byte {byte} of shared memory, which nobody has written"
            )));
        }
        match intent {
            Intent::Write => shadow.writer = Writer::Thread(thread),
            Intent::Atomic => {
                shadow.writer = match shadow.writer {
                    // Its own plain write still is one.
                    Writer::Thread(_) => shadow.writer,
                    Writer::Atomic(who) if who != thread => Writer::Atomics,
                    Writer::Atomics => Writer::Atomics,
                    Writer::Never | Writer::Before | Writer::Atomic(_) => Writer::Atomic(thread),
                }
            }
            Intent::Read => {
                shadow.reader = match read_by_another {
                    true => Reader::Several,
                    false => Reader::Thread(thread),
                }
            }
        }
        Ok(())
    }
}
