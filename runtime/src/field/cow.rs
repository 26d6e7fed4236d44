//! Memory that fields share until one of them writes.

use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::access::layout::FieldLayout;
use crate::device::{Device, capture};
use crate::element::Element;
use crate::error::{Error, Result};
use crate::field::memory::Memory;
use crate::recording::{self, Access, Place, Storage};

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

/// What a field's memory holds.
#[derive(Clone, Copy)]
pub struct Form {
    /// The type of an element.
    pub ty: fn() -> swathe_ir::Type,
    /// Its size in bytes.
    pub size: usize,
    /// Whether its scalars have planes of their own.
    pub planar: bool,
}

impl Form {
    pub const fn of<T: Element, L: FieldLayout>() -> &'static Form {
        const {
            &Form {
                ty: T::ty,
                size: size_of::<T>(),
                planar: L::PLANAR,
            }
        }
    }
}

/// A field's memory, which its clones may share.
///
/// It is read through [`CowMemory::read`] and written through [`CowMemory::own`], which a recording hears of; launches, which tell it
/// themselves, take it [raw](CowMemory::raw), to be written after [`CowMemory::prepare`] has said that it is alone.
pub struct CowMemory {
    memory: Memory,
    id: FieldId,
    writes: u64,
    form: &'static Form,
}

impl Storage for CowMemory {
    fn id(&self) -> u64 {
        self.id.get()
    }

    fn describe(&self) -> String {
        let Form { ty, size, planar } = *self.form;
        let (ty, layout) = (ty(), if planar { ", in planes" } else { "" });
        let room = self.memory.size().checked_div(size).unwrap_or(0);
        match room {
            1 => format!("a field of one `{ty}`{layout}"),
            _ => format!("a field of `{ty}` ({} bytes{layout})", self.memory.size()),
        }
    }
}

impl CowMemory {
    pub fn new<T: Element, L: FieldLayout>(memory: Memory) -> CowMemory {
        CowMemory::with_form(memory, Form::of::<T, L>())
    }

    pub fn with_form(memory: Memory, form: &'static Form) -> CowMemory {
        CowMemory {
            memory,
            id: FieldId::new(),
            writes: 0,
            form,
        }
    }

    /// The same memory for a field of another type, which is another field.
    pub fn into_form<T: Element, L: FieldLayout>(self) -> CowMemory {
        CowMemory::new::<T, L>(self.memory)
    }

    pub fn form(&self) -> &'static Form {
        self.form
    }

    /// The number that the next field will have, or a higher one.
    pub fn next_id() -> u64 {
        FieldId::new().get()
    }

    /// As an argument of a launch.
    #[inline(always)]
    pub fn place(&self, exclusive: bool) -> Place<'_> {
        Place {
            device: self.memory.device(),
            storage: self,
            exclusive,
        }
    }

    #[inline(always)]
    pub fn device(&self) -> &Device {
        self.memory.device()
    }

    pub fn is_host(&self) -> bool {
        self.memory.is_host()
    }

    pub fn is_alone(&self) -> bool {
        self.memory.is_alone()
    }

    /// The memory, to be read.
    ///
    /// # Errors
    /// [`Error::NotRecordable`] if a recording would not see it.
    pub fn read(&self) -> Result<&Memory> {
        recording::access(self, Access::Read)?;
        Ok(&self.memory)
    }

    /// The same where no error can be returned: then the recording ends with it.
    pub fn note(&self) -> &Memory {
        recording::note(self, Access::Read);
        &self.memory
    }

    /// Whether the host may write to it now, if it is alone.
    ///
    /// # Errors
    /// [`Error::NotRecordable`] if a recording would not see it.
    pub fn write(&self) -> Result<()> {
        recording::access(self, Access::Write)
    }

    /// Whether a launch may write to a part of it.
    ///
    /// # Errors
    /// [`Error::NotRecordable`].
    #[inline]
    pub fn may_write(&self) -> Result<()> {
        match recording::is_any() {
            true => recording::prepare(self),
            false => Ok(()),
        }
    }

    /// The memory, which a launch takes, or of which nothing is read.
    #[inline]
    pub fn raw(&self) -> &Memory {
        &self.memory
    }

    /// Memory of other contents in its place: of as many bytes, in the same form.
    pub fn restore(&mut self, from: &CowMemory) -> Result<()> {
        debug_assert!(std::ptr::eq(self.form, from.form) || self.form.size == from.form.size);
        if self.memory.share().is_none() {
            // A graph, or another library, has it: it stays where it is.
            if !self.prepare() {
                self.unshare()?;
            }
            return self.own().copy_from(&from.memory);
        }
        let other = from.try_clone()?;
        self.writes = self.write_count().wrapping_add(1);
        self.memory = other.memory;
        Ok(())
    }

    /// The same memory for another field; a copy of it, if it has to stay one field's.
    pub fn try_clone(&self) -> Result<CowMemory> {
        if self.memory.size() > 0 && capture::is_capturing() {
            return Err(capture::refusal(
                "cloning a field".to_owned(),
                "make the fields before the capture",
            ));
        }
        match self.memory.share() {
            Some(memory) => Ok(CowMemory::with_form(memory, self.form)),
            None => self.duplicate(),
        }
    }

    /// A copy for another field.
    pub fn duplicate(&self) -> Result<CowMemory> {
        Ok(CowMemory::with_form(self.memory.duplicate()?, self.form))
    }

    pub fn id(&self) -> FieldId {
        self.id
    }

    /// What tells the field from others, with how often it has been written.
    pub fn identity(&self) -> (FieldId, u64) {
        (self.id, self.write_count())
    }

    /// Makes it the field that another one was, as if the two had changed places before all that was done to them since. Each of them
    /// gets the identity of another.
    pub fn become_field(&mut self, (id, writes): (FieldId, u64)) {
        self.id = id;
        // What it holds is new to who knows that field.
        self.writes = writes.wrapping_add(1).wrapping_sub(self.memory.replays());
    }

    /// Makes it a field that nobody knows.
    pub fn become_new(&mut self) {
        self.id = FieldId::new();
    }

    pub fn write_count(&self) -> u64 {
        self.writes.wrapping_add(self.memory.replays())
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
