//! Fills and copies of views where the host does not reach: by kernels of the runtime's own.

use std::ptr::NonNull;

use swathe_device_kernels::{Launch, plan};

use crate::device::Init;
use crate::element::Element;
use crate::error::Result;
use crate::field::members::part::numbers;
use crate::field::memory::Memory;
use crate::field::views::view::Region;

/// Equal parts of all elements, as kernels address them.
struct Blocks {
    at: *mut u8,
    strides: Vec<i64>,
    size: usize,
}

impl<const D: usize> Region<'_, D> {
    /// The bytes at an offset of each element: all of it, or one scalar.
    fn blocks(&self, offset: usize, size: usize) -> Blocks {
        let (at, unit) = if self.planar {
            let plane = self.at.wrapping_add(self.steps.pitch * offset);
            let unit = size as isize;
            (plane.wrapping_offset(self.steps.origin.wrapping_mul(unit)), unit)
        } else {
            (self.at.wrapping_add(offset), 1)
        };
        let strides = self.steps.strides.iter().map(|stride| stride.wrapping_mul(unit) as i64);
        Blocks {
            at,
            strides: strides.collect(),
            size,
        }
    }

    /// What an element is moved in: offsets and sizes.
    fn pieces<T: Element>(planar: bool) -> Vec<(usize, usize)> {
        if !planar {
            return vec![(0, size_of::<T>())];
        }
        numbers(&T::ty()).collect()
    }

    fn extents(&self) -> Vec<u64> {
        self.shape.iter().map(|n| *n as u64).collect()
    }

    fn memory_start(&self) -> NonNull<u8> {
        NonNull::new(self.memory.raw().address()).unwrap_or(NonNull::dangling())
    }

    /// Copies another region of the same device.
    ///
    /// # Safety
    /// Both consist of elements of type `T` and have one shape; this one is borrowed exclusively.
    pub(in crate::field) unsafe fn copy_remote<T: Element>(&self, from: &Region<'_, D>) -> Result<()> {
        if size_of::<T>() == 0 {
            return Ok(());
        }
        let mut launches = Vec::new();
        for (offset, size) in Self::pieces::<T>(self.planar || from.planar) {
            let (to, from) = (self.blocks(offset, size), from.blocks(offset, size));
            launches.extend(plan::copy(from.array(), to.array(), &self.extents(), to.size as u64));
        }
        let uses = [(self.memory_start(), true), (from.memory_start(), false)];
        // SAFETY: by the caller's word; the launches stay inside of the regions.
        unsafe { self.run(&launches, &uses) }
    }

    /// Writes copies of a value.
    ///
    /// # Safety
    /// The region consists of elements of type `T`, and is borrowed exclusively.
    pub(in crate::field) unsafe fn fill_remote<T: Element>(&self, value: T) -> Result<()> {
        if size_of::<T>() == 0 || self.len() == 0 {
            return Ok(());
        }
        // A value is read from memory of the device as an array without strides.
        let mut one = Memory::alloc(self.memory.device(), size_of::<T>(), Init::Uninit)?;
        // SAFETY: the memory has the value's size.
        unsafe { one.upload(0, (&raw const value).cast(), size_of::<T>())? };
        let mut launches = Vec::new();
        for (offset, size) in Self::pieces::<T>(self.planar) {
            let to = self.blocks(offset, size);
            let from = Blocks {
                at: one.address().wrapping_add(offset),
                strides: vec![0; D],
                size,
            };
            launches.extend(plan::copy(from.array(), to.array(), &self.extents(), size as u64));
        }
        let start = NonNull::new(one.address()).unwrap_or(NonNull::dangling());
        // SAFETY: by the caller's word; `one` is freed in the order of the device's work.
        unsafe { self.run(&launches, &[(self.memory_start(), true), (start, false)]) }
    }

    unsafe fn run(&self, launches: &[Launch], uses: &[(NonNull<u8>, bool)]) -> Result<()> {
        // SAFETY: by the caller's word.
        unsafe { self.memory.device().backend().run(launches, uses) }
    }
}

impl Blocks {
    fn array(&self) -> plan::Array<'_> {
        plan::Array {
            address: self.at.expose_provenance() as u64,
            strides: &self.strides,
        }
    }
}
