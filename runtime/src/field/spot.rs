//! One element of a field, from the host.

use std::mem::MaybeUninit;
use std::ptr::NonNull;

use super::part::leaves;
use super::transfer::positions;
use crate::cpu::pointer::Planes;
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, Result};

/// Where one element lies.
pub(super) enum Spot {
    /// At an address.
    Whole(*mut u8),
    /// Each scalar in its plane.
    Planes(Planes),
}

impl Spot {
    /// # Safety
    /// There is a `T` on the device, which nobody writes.
    pub unsafe fn get<T: Element>(self, device: &Device) -> Result<T> {
        let backend = device.backend();
        let mut value = MaybeUninit::<T>::zeroed();
        let to: *mut u8 = value.as_mut_ptr().cast();
        let get = |to, from, bytes| match bytes {
            0 => Ok(()),
            // SAFETY: by the caller's word, and there is as much room.
            _ => unsafe { backend.download(to, address(from)?, bytes) },
        };
        match self {
            Spot::Whole(at) => get(to, at, size_of::<T>())?,
            Spot::Planes(planes) => {
                // SAFETY: each scalar is one of the element's.
                scalars::<T>(|offset, size| {
                    get(unsafe { to.add(offset) }, unsafe { scalar(planes, offset, size) }, size)
                })?;
            }
        }
        // SAFETY: every scalar is written, and bytes between them may be zero.
        Ok(unsafe { value.assume_init() })
    }

    /// # Safety
    /// There is a `T` on the device, which nobody else uses.
    pub unsafe fn set<T: Element>(self, device: &Device, value: T) -> Result<()> {
        let backend = device.backend();
        let from: *const u8 = (&raw const value).cast();
        let set = |to, from, bytes| match bytes {
            0 => Ok(()),
            // SAFETY: by the caller's word.
            _ => unsafe { backend.upload(address(to)?, from, bytes) },
        };
        match self {
            Spot::Whole(at) => set(at, from, size_of::<T>()),
            // SAFETY: each scalar is one of the element's.
            Spot::Planes(planes) => scalars::<T>(|offset, size| {
                set(
                    unsafe { scalar(planes, offset, size) },
                    unsafe { from.add(offset) },
                    size,
                )
            }),
        }
    }
}

fn address(at: *mut u8) -> Result<NonNull<u8>> {
    NonNull::new(at).ok_or(Error::Unknown {
        what: "the address of a field",
    })
}

/// Calls `see` with offset and size of every scalar.
fn scalars<T: Element>(mut see: impl FnMut(usize, usize) -> Result<()>) -> Result<()> {
    for leaf in leaves(&T::ty(), 0) {
        let part = &leaf.part;
        for inner in positions(&part.lengths) {
            let offset = super::transfer::dot(&inner, &part.strides) as usize + part.offset;
            see(offset, part.scalar)?;
        }
    }
    Ok(())
}

/// # Safety
/// There is a scalar of this size at the offset.
unsafe fn scalar(planes: Planes, offset: usize, size: usize) -> *mut u8 {
    // SAFETY: by the caller's word.
    unsafe { planes.member(offset).of_size(size) }
}
