//! Arrays of the host in a device's memory, for one launch.

use crate::device::Device;
use crate::device::argument::{ArgKind, HostArray, LaunchArg};
use crate::element::external::Axes;
use crate::error::Result;
use crate::field::Init;
use crate::field::bytes_of;
use crate::field::exchange::strided::scaled;
use crate::field::members::place::Place;
use crate::field::memory::Memory;

/// An array of the host, and its copy.
pub(crate) struct Staged<'a> {
    array: HostArray<'a>,
    memory: Memory,
}

impl<'a> Staged<'a> {
    /// Copies the array.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory), and those of the driver.
    ///
    /// # Safety
    /// The array can be read.
    pub(crate) unsafe fn new(device: &Device, array: HostArray<'a>) -> Result<Self> {
        let bytes = bytes_of(array.shape, array.size)?;
        let mut memory = Memory::alloc(device, bytes, Init::Uninit)?;
        let (place, axes, strides) = parts(&array);
        // SAFETY: by the caller's word; the memory has the size of the place.
        unsafe { place.import(&mut memory, &axes, array.at, &strides)? };
        Ok(Staged { array, memory })
    }

    /// The copy as an argument.
    pub(crate) fn arg(&self) -> LaunchArg<'a> {
        LaunchArg(ArgKind::Field {
            at: self.memory.address(),
            shape: self.array.shape,
            part: None,
            planes: None,
            origin: None,
        })
    }

    /// Whether the kernel writes it.
    pub(crate) fn is_written(&self) -> bool {
        self.array.mutable
    }

    /// Copies back what the kernel wrote.
    ///
    /// # Errors
    /// Those of the driver.
    ///
    /// # Safety
    /// The array can be written.
    pub(crate) unsafe fn write_back(&self) -> Result<()> {
        let (place, axes, strides) = parts(&self.array);
        // SAFETY: by the caller's word; the memory has the size of the place.
        unsafe { place.export(&self.memory, &axes, self.array.at, &strides) }
    }
}

/// The array as one of numbers: its elements may be structs of any size.
fn parts<'a>(array: &HostArray<'a>) -> (Place<'a>, Axes, Vec<isize>) {
    let unit = array.align.min(8);
    let count = array.size / unit;
    let place = Place {
        shape: array.shape,
        element: array.size,
        offset: 0,
        size: array.size,
        room: None,
    };
    let mut strides = scaled(array.strides, count);
    strides.push(1);
    (place, Axes::NONE.after(count), strides)
}
