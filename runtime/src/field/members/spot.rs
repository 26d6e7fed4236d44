//! One element of a field, from the host.

use std::mem::MaybeUninit;
use std::ptr::NonNull;

use crate::access::pointer::Planes;
use crate::device::Device;
use crate::device::undivided::undivided;
use crate::element::Element;
use crate::error::{Error, Result};
use crate::field::members::part::numbers;

/// Where one element lies.
pub(in crate::field) enum Spot {
    /// At an address.
    Whole(*mut u8),
    /// Each scalar in its plane.
    Planes(Planes),
}

impl Spot {
    /// # Safety
    /// There is a `T` on the device, which nobody writes.
    pub unsafe fn get<T: Element>(self, device: &Device) -> Result<T> {
        let mut value = MaybeUninit::<T>::zeroed();
        let to: *mut u8 = value.as_mut_ptr().cast();
        self.scalars::<T>(device, |at, offset, size| {
            // SAFETY: by the caller's word the scalar is at `at`, and at `offset` of the value.
            unsafe { device.backend().download(to.add(offset), at, size) }
        })?;
        // SAFETY: every scalar is written, and bytes between them may be zero.
        Ok(unsafe { value.assume_init() })
    }

    /// # Safety
    /// There is a `T` on the device, which nobody else uses.
    pub unsafe fn set<T: Element>(self, device: &Device, value: T) -> Result<()> {
        let from: *const u8 = (&raw const value).cast();
        self.scalars::<T>(device, |at, offset, size| {
            // SAFETY: as for `get`.
            unsafe { device.backend().upload(at, from.add(offset), size) }
        })
    }

    /// Calls `see` with address, offset and size of what lies in one piece: the element, or each of its scalars.
    fn scalars<T: Element>(
        self,
        device: &Device,
        mut see: impl FnMut(NonNull<u8>, usize, usize) -> Result<()>,
    ) -> Result<()> {
        let mut piece = |at, offset, size| {
            let at = NonNull::new(at).ok_or(Error::Unknown {
                what: "the address of a field",
            })?;
            if size == 0 { Ok(()) } else { see(at, offset, size) }
        };
        let planes = match self {
            Spot::Whole(at) => return piece(at, 0, size_of::<T>()),
            Spot::Planes(planes) => planes,
        };
        // SAFETY: the element has a scalar of this size there.
        let place = |(offset, size): (usize, usize)| unsafe { (planes.member(offset).of_size(size), offset, size) };
        let ty = T::ty();
        let mut places = numbers(&ty).map(place).peekable();
        let first = places.peek().and_then(|(at, ..)| NonNull::new(*at));
        undivided([(device, first.unwrap_or(NonNull::dangling()))], || {
            places.try_for_each(|(at, offset, size)| piece(at, offset, size))
        })
    }
}
