//! Large transfers between the host's pageable memory and the device: by two page-locked buffers, so that the copy of one
//! block by the processor and the transfer of another overlap.

use std::ptr::NonNull;

use cudarc::driver::result;
use cudarc::driver::sys::{self, CUevent, CUevent_flags, CUstream};

use super::device::{CudaDevice, lock};
use super::pinned::Pinned;
use crate::device::Device;
use crate::error::Result;

/// Bytes of a buffer.
const BUFFER: usize = 4 << 20;

/// The buffers, allocated on first use.
#[derive(Default)]
pub(super) struct Staging(Option<[Buffer; 2]>);

#[derive(Clone, Copy)]
struct Buffer {
    memory: Pinned,
    /// Recorded after the buffer's last transfer.
    done: CUevent,
}

// SAFETY: handles of the driver, which every thread may use.
unsafe impl Send for Buffer {}

impl Staging {
    fn buffers(&mut self, device: &CudaDevice) -> Result<[Buffer; 2]> {
        if let Some(buffers) = self.0 {
            return Ok(buffers);
        }
        let failed = |error| device.failed("cuEventCreate", error);
        let create = || result::event::create(CUevent_flags::CU_EVENT_DISABLE_TIMING);
        let first = create().map_err(failed)?;
        let second = create().map_err(|error| {
            destroy(first);
            failed(error)
        })?;
        let memory = Pinned::alloc(2 * BUFFER).map_err(|error| {
            destroy(first);
            destroy(second);
            device.allocation_failed("cuMemHostAlloc", 2 * BUFFER, error)
        })?;
        let buffers = [
            Buffer { memory, done: first },
            Buffer {
                memory: memory.part(BUFFER),
                done: second,
            },
        ];
        self.0 = Some(buffers);
        Ok(buffers)
    }
}

/// Destroys an event that nothing refers to.
fn destroy(event: CUevent) {
    // SAFETY: the event was just created. A failure here leaves an event behind, and follows another one.
    let _ = unsafe { result::event::destroy(event) };
}

impl Buffer {
    fn wait(self, device: &CudaDevice) -> Result<()> {
        // SAFETY: the event is alive; waiting for one that was never recorded returns at once.
        unsafe { result::event::synchronize(self.done) }.map_err(|error| device.failed("cuEventSynchronize", error))
    }

    fn record(self, device: &CudaDevice, stream: CUstream) -> Result<()> {
        // SAFETY: event and stream are alive, and of one context.
        unsafe { result::event::record(self.done, stream) }.map_err(|error| {
            // Without the event nobody would know when the buffer is free again.
            let _ = device.wait();
            device.failed("cuEventRecord", error)
        })
    }
}

impl CudaDevice {
    /// Copies to the device in the order of a stream; returns when `from` is no longer needed.
    ///
    /// # Safety
    /// Both ranges are valid, and the context is current.
    pub(super) unsafe fn upload_staged(
        &self,
        to: NonNull<u8>,
        from: *const u8,
        bytes: usize,
        stream: CUstream,
    ) -> Result<()> {
        let mut staging = lock(&self.staging);
        let buffers = staging.buffers(self)?;
        for (k, start) in (0..bytes).step_by(BUFFER).enumerate() {
            let n = BUFFER.min(bytes - start);
            let buffer = buffers[k % 2];
            buffer.wait(self)?;
            // SAFETY: the block lies inside both ranges by the caller's word; the buffer's last transfer is done.
            unsafe {
                copy(buffer.memory.host.as_ptr(), from.add(start), n)?;
                let to = to.as_ptr().addr() + start;
                sys::cuMemcpyHtoDAsync_v2(to as u64, buffer.memory.host.as_ptr().cast(), n, stream)
                    .result()
                    .map_err(|error| self.failed("cuMemcpyHtoDAsync", error))?;
            }
            buffer.record(self, stream)?;
        }
        Ok(())
    }

    /// Copies from the device, after the stream's work before.
    ///
    /// # Safety
    /// Both ranges are valid, and the context is current.
    pub(super) unsafe fn download_staged(
        &self,
        to: *mut u8,
        from: NonNull<u8>,
        bytes: usize,
        stream: CUstream,
    ) -> Result<()> {
        let mut staging = lock(&self.staging);
        let buffers = staging.buffers(self)?;
        let blocks = bytes.div_ceil(BUFFER);
        for k in 0..=blocks {
            if k < blocks {
                let start = k * BUFFER;
                let n = BUFFER.min(bytes - start);
                let buffer = buffers[k % 2];
                // The buffer's last transfer may be an upload.
                buffer.wait(self)?;
                let from = from.as_ptr().addr() + start;
                // SAFETY: the block lies inside the device's range; the buffer was read out in the last round.
                unsafe {
                    sys::cuMemcpyDtoHAsync_v2(buffer.memory.host.as_ptr().cast(), from as u64, n, stream)
                        .result()
                        .map_err(|error| self.failed("cuMemcpyDtoHAsync", error))?;
                }
                buffer.record(self, stream)?;
            }
            if let Some(k) = k.checked_sub(1) {
                let start = k * BUFFER;
                let buffer = buffers[k % 2];
                buffer.wait(self)?;
                // SAFETY: the block lies inside the host's range, and its transfer is done.
                unsafe { copy(to.add(start), buffer.memory.host.as_ptr(), BUFFER.min(bytes - start))? };
            }
        }
        Ok(())
    }
}

/// Copies with several threads.
///
/// # Safety
/// Both ranges are valid and do not overlap.
unsafe fn copy(to: *mut u8, from: *const u8, bytes: usize) -> Result<()> {
    match NonNull::new(to) {
        // SAFETY: by the caller's word.
        Some(to) => unsafe { Device::cpu().backend().upload(to, from, bytes) },
        None => Ok(()),
    }
}
