//! Memory of the host that the device reaches.

use std::ptr::NonNull;

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys;

use super::device::CudaDevice;
use crate::error::Result;

/// Bytes of one slot.
pub(super) const SLOT: usize = 4096;
const SLOTS: usize = 16;

/// Page-locked memory; not freed when it is dropped, since devices live as long as the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pinned {
    pub host: NonNull<u8>,
    pub device: u64,
}

// SAFETY: an address; those who use it answer for the access.
unsafe impl Send for Pinned {}

impl Pinned {
    /// Allocates zeroed memory, which kernels can reach too.
    pub fn alloc(bytes: usize) -> Result<Pinned, DriverError> {
        // SAFETY: a context is current; the memory is as large as said.
        unsafe {
            let at = result::malloc_host(bytes, sys::CU_MEMHOSTALLOC_DEVICEMAP)?;
            let host = NonNull::new(at.cast::<u8>()).ok_or(DriverError(sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY))?;
            host.write_bytes(0, bytes);
            let mut device = 0;
            if let Err(error) = sys::cuMemHostGetDevicePointer_v2(&raw mut device, at, 0).result() {
                let _ = result::free_host(at);
                return Err(error);
            }
            Ok(Pinned { host, device })
        }
    }

    /// # Safety
    /// It is a whole allocation, which nobody uses any more.
    pub unsafe fn free(self) {
        // SAFETY: by the caller's word. A failure here follows another one.
        let _ = unsafe { result::free_host(self.host.as_ptr().cast()) };
    }

    /// The part from `offset` on, which lies inside.
    pub fn part(self, offset: usize) -> Pinned {
        Pinned {
            // SAFETY: by the caller's word.
            host: unsafe { self.host.add(offset) },
            device: self.device + offset as u64,
        }
    }
}

/// Slots for values that come back from the device.
#[derive(Default)]
pub(super) struct Slots(Vec<Pinned>);

impl CudaDevice {
    /// Lends a slot for a while; its context is current.
    pub(super) fn with_slot<R>(&self, work: impl FnOnce(Pinned) -> Result<R>) -> Result<R> {
        let free = super::device::lock(&self.slots).0.pop();
        let slot = match free {
            Some(slot) => slot,
            None => {
                let all = Pinned::alloc(SLOT * SLOTS)
                    .map_err(|error| self.allocation_failed("cuMemHostAlloc", SLOT * SLOTS, error))?;
                let others = (1..SLOTS).map(|k| all.part(k * SLOT));
                super::device::lock(&self.slots).0.extend(others);
                all
            }
        };
        let result = work(slot);
        super::device::lock(&self.slots).0.push(slot);
        result
    }
}
