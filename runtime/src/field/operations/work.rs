//! Launches of the runtime's own kernels on fields.

use std::ptr::NonNull;

use swathe_device_kernels::Launch;

use crate::access::layout::FieldLayout;
use crate::device::{Device, Init};
use crate::element::Element;
use crate::error::Result;
use crate::field::Field;
use crate::field::memory::Memory;

impl<T: Element, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// Where it starts. Scalars lie one after the other in either layout.
    pub(in crate::field) fn start(&self) -> u64 {
        self.address().expose_provenance() as u64
    }

    pub(in crate::field) fn uses(&self) -> Option<(NonNull<u8>, bool)> {
        NonNull::new(self.memory.note().address())
            .filter(|_| !self.is_empty() && size_of::<T>() > 0)
            .map(|at| (at, false))
    }

    /// After [`Field::prepare`], or of a field that is new.
    pub(in crate::field) fn uses_mut(&mut self) -> Option<(NonNull<u8>, bool)> {
        debug_assert!(self.memory.is_alone());
        self.uses().map(|(at, _)| (at, true))
    }

    /// # Safety
    /// The launches write to this field alone, which [`Field::prepare`] was called for or which is new, and read nothing else.
    pub(in crate::field) unsafe fn write(&mut self, launches: &[Launch]) -> Result<()> {
        let Some(uses) = self.uses_mut() else { return Ok(()) };
        // SAFETY: by the caller's word; the field is borrowed exclusively.
        unsafe { self.device().backend().run(launches, &[uses]) }
    }
}

/// The position of the element with this number in row-major order.
pub(in crate::field) fn position_of<const D: usize>(number: u64, shape: [usize; D]) -> [usize; D] {
    let mut rest = usize::try_from(number).unwrap_or(0);
    let mut position = [0; D];
    for (i, n) in position.iter_mut().zip(shape).rev() {
        (*i, rest) = (rest % n, rest / n);
    }
    position
}

/// Memory for results and for what comes between.
pub(in crate::field) struct Work(Memory);

impl Work {
    pub fn new(device: &Device, results: usize, scratch: u64) -> Result<Work> {
        let bytes = results.saturating_add(usize::try_from(scratch).unwrap_or(usize::MAX));
        Ok(Work(Memory::alloc(device, bytes, Init::Uninit)?))
    }

    pub fn zeroed(device: &Device, bytes: usize) -> Result<Work> {
        Ok(Work(Memory::alloc(device, bytes, Init::Zeroed)?))
    }

    pub fn at(&self, offset: usize) -> u64 {
        self.0.address().wrapping_add(offset).expose_provenance() as u64
    }

    /// # Safety
    /// As for `Backend::run`, where this memory may be written.
    pub unsafe fn run(&self, launches: &[Launch], uses: impl IntoIterator<Item = (NonNull<u8>, bool)>) -> Result<()> {
        if launches.is_empty() {
            return Ok(());
        }
        let own = NonNull::new(self.0.address())
            .filter(|_| self.0.size() > 0)
            .map(|at| (at, true));
        let uses: Vec<_> = uses.into_iter().chain(own).collect();
        // SAFETY: by the caller's word.
        unsafe { self.0.device().backend().run(launches, &uses) }
    }

    pub fn set(&mut self, offset: usize, value: u64) -> Result<()> {
        // SAFETY: the callers stay inside of the results.
        unsafe { self.0.upload(offset, (&raw const value).cast(), size_of::<u64>()) }
    }

    /// # Safety
    /// A `T` was written at the offset.
    pub unsafe fn get<T: Element>(&self, offset: usize) -> Result<T> {
        let mut value = std::mem::MaybeUninit::<T>::uninit();
        // SAFETY: by the caller's word.
        unsafe {
            self.0.download(value.as_mut_ptr().cast(), offset, size_of::<T>())?;
            Ok(value.assume_init())
        }
    }
}
