//! Memory that fields share until one of them writes.

use std::num::NonZero;
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::device::capture;
use crate::error::{Error, Result};
use crate::field::memory::Memory;

/// See [`copies_on_write`].
static COPIES: AtomicU64 = AtomicU64::new(0);

/// How often a field was given memory of its own because a clone shared it ([`Field::try_clone`](crate::Field::try_clone)), in
/// this process so far.
///
/// A program that makes no clones, or writes to none while the other is there, copies nothing. Where a count that should stay
/// does not, a clone lives longer than it was meant to.
///
/// ```
/// use swathe::{Device, Field, copies_on_write};
///
/// let before = copies_on_write();
/// let mut u = Field::<f32>::full(&Device::default(), 1000, 1.0)?;
/// let start = u.try_clone()?;
/// assert_eq!(copies_on_write() - before, 0);
/// u.fill(2.0)?; // `start` keeps the memory, `u` gets its own
/// u.fill(3.0)?;
/// assert_eq!(copies_on_write() - before, 1);
/// assert_eq!((start.get(999)?, u.get(999)?), (1.0, 3.0));
/// # Ok::<(), swathe::Error>(())
/// ```
#[must_use]
pub fn copies_on_write() -> u64 {
    COPIES.load(Ordering::Relaxed)
}

/// What tells a field from all others of the process: see [`Field::id`](crate::Field::id).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldId(NonZero<u64>);

impl FieldId {
    fn new() -> FieldId {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        // 2^64 fields are never made.
        FieldId(NonZero::new(NEXT.fetch_add(1, Ordering::Relaxed)).unwrap_or(NonZero::<u64>::MAX))
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> u64 {
        self.0.get()
    }
}

/// A field's memory, which its clones may share.
///
/// It is written through [`CowMemory::own`], or at its address after [`CowMemory::prepare`] has said that it is alone.
pub(in crate::field) struct CowMemory {
    memory: Memory,
    id: FieldId,
    writes: u64,
}

impl CowMemory {
    pub fn new(memory: Memory) -> CowMemory {
        CowMemory {
            memory,
            id: FieldId::new(),
            writes: 0,
        }
    }

    /// The same memory for another field; a copy of it, if it has to stay one field's.
    pub fn try_clone(&self) -> Result<CowMemory> {
        if self.size() > 0 && capture::is_capturing() {
            return Err(capture::refusal(
                "cloning a field".to_owned(),
                "make the fields before the capture",
            ));
        }
        match self.memory.share() {
            Some(memory) => Ok(CowMemory::new(memory)),
            None => Ok(CowMemory::new(self.memory.duplicate()?)),
        }
    }

    pub fn id(&self) -> FieldId {
        self.id
    }

    pub fn write_count(&self) -> u64 {
        self.writes.wrapping_add(self.replays())
    }

    /// Counts a write that comes, and says whether it may be done at the memory's address: else [`CowMemory::unshare`] comes
    /// first.
    #[inline]
    pub fn prepare(&mut self) -> bool {
        self.writes = self.writes.wrapping_add(1);
        self.memory.is_alone()
    }

    /// Gives the field memory of its own. A call that fails changes nothing.
    pub fn unshare(&mut self) -> Result<()> {
        let own = self.memory.duplicate()?;
        // What graphs did to the memory that is left counts on.
        self.writes = self.write_count();
        self.memory = own;
        COPIES.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// The memory, to be written: of a field that is [prepared](CowMemory::prepare).
    pub fn own(&mut self) -> &mut Memory {
        debug_assert!(self.memory.is_alone());
        &mut self.memory
    }
}

impl Deref for CowMemory {
    type Target = Memory;

    #[inline]
    fn deref(&self) -> &Memory {
        &self.memory
    }
}

/// An error of a copy on write, with the field.
#[cold]
pub(in crate::field) fn named(error: Error, field: &str) -> Error {
    match error {
        Error::OutOfMemory { bytes, place } => Error::OutOfMemory {
            bytes,
            place: format!("{place}, to give {field} memory of its own"),
        },
        Error::NotCapturable { reason, .. } => Error::NotCapturable {
            what: format!("giving {field} memory of its own"),
            reason,
        },
        other => other,
    }
}
