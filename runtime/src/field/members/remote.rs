//! Members of elements in memory that the host does not reach: they cross as an array of their own, and a kernel of the runtime's
//! own puts them into their places there, or takes them from there. The elements' other bytes never move.

use std::ptr::NonNull;

use swathe_device_kernels::plan;

use crate::device::Init;
use crate::error::Result;
use crate::field::members::place::Place;
use crate::field::memory::Memory;

impl Place<'_> {
    /// Do the parts cross on their own?
    pub(in crate::field) fn is_apart(&self, memory: &Memory) -> bool {
        !memory.is_host() && self.room.is_none() && self.keep() && self.size > 0 && self.bytes() > 0
    }

    /// The parts, one after the other.
    fn alone(&self) -> Self {
        Place {
            element: self.size,
            offset: 0,
            ..*self
        }
    }

    /// Lets a function write the parts, and puts them into place.
    ///
    /// # Safety
    /// The place is one of the memory; the function writes all parts.
    pub(in crate::field) unsafe fn import_apart(
        &self,
        memory: &mut Memory,
        import: impl FnOnce(&Place<'_>, &mut Memory) -> Result<()>,
    ) -> Result<()> {
        let alone = self.alone();
        let mut apart = Memory::alloc(memory.device(), alone.bytes(), Init::Uninit)?;
        import(&alone, &mut apart)?;
        // SAFETY: by the caller's word.
        unsafe { copy((&apart, &alone), (memory, self)) }
    }

    /// Lets a function read the parts.
    ///
    /// # Safety
    /// The place is one of the memory.
    pub(in crate::field) unsafe fn export_apart(
        &self,
        memory: &Memory,
        export: impl FnOnce(&Place<'_>, &Memory) -> Result<()>,
    ) -> Result<()> {
        let alone = self.alone();
        let apart = Memory::alloc(memory.device(), alone.bytes(), Init::Uninit)?;
        // SAFETY: by the caller's word.
        unsafe { copy((memory, self), (&apart, &alone))? };
        export(&alone, &apart)
    }
}

/// # Safety
/// Both are places of their memory, of as many parts of one size; nobody else uses what is written.
unsafe fn copy(from: (&Memory, &Place<'_>), to: (&Memory, &Place<'_>)) -> Result<()> {
    let strides = |place: &Place<'_>| [place.element as i64];
    let (from_strides, to_strides) = (strides(from.1), strides(to.1));
    let array =
        |(memory, place): (&Memory, &Place<'_>)| memory.address().wrapping_add(place.offset).expose_provenance() as u64;
    let count = (from.1.bytes() / from.1.element) as u64;
    let launches = plan::copy(
        plan::Array {
            address: array(from),
            strides: &from_strides,
        },
        plan::Array {
            address: array(to),
            strides: &to_strides,
        },
        &[count],
        to.1.size as u64,
    );
    let start = |memory: &Memory| NonNull::new(memory.address()).unwrap_or(NonNull::dangling());
    let uses = [(start(to.0), true), (start(from.0), false)];
    // SAFETY: by the caller's word.
    unsafe { to.0.device().backend().run(&launches, &uses) }
}
