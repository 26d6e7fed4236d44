//! A GPU's memory: allocated, freed, copied and filled in the order of its stream.

use std::ptr::NonNull;

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{self, CUresult};

use super::device::CudaDevice;
use super::graph;
use super::pinned::SLOT;
use crate::argument::LaunchArg;
use crate::device::{Backend, Init, KernelRef, MemoryInfo};
use crate::error::{Error, Result};

/// Up to this size the driver takes bytes from pageable memory by itself, without waiting.
const SMALL_UPLOAD: usize = 64 << 10;

impl CudaDevice {
    fn try_alloc(&self, bytes: usize) -> Result<u64, DriverError> {
        // SAFETY: the context is current, the stream alive, and the size not 0.
        unsafe {
            match self.pool() {
                Some(_) => result::malloc_async(self.main_stream(), bytes),
                None => result::malloc_sync(bytes),
            }
        }
    }

    /// Memory that nobody has written; the context is current.
    pub(super) fn alloc_bytes(&self, bytes: usize) -> Result<u64> {
        let call = if self.pool().is_some() {
            "cuMemAllocAsync"
        } else {
            "cuMemAlloc"
        };
        let error = match self.try_alloc(bytes) {
            Ok(at) => return Ok(at),
            Err(error) => error,
        };
        if error.0 == CUresult::CUDA_ERROR_OUT_OF_MEMORY
            && let Some(pool) = self.pool()
        {
            // What was freed may be kept in pieces of other sizes, or wait for work that still runs.
            self.wait()?;
            // SAFETY: the pool is alive.
            let trimmed = unsafe { result::mem_pool::trim_to(pool, 0) };
            if let (Ok(()), Ok(at)) = (trimmed, self.try_alloc(bytes)) {
                return Ok(at);
            }
        }
        Err(self.allocation_failed(call, bytes, error))
    }

    /// Frees memory once the work before is done.
    pub(super) fn free_bytes(&self, at: u64) {
        // SAFETY: by the callers' word the memory came from `alloc_bytes`, and is used by no later work.
        let freed = unsafe {
            result::ctx::set_current(self.context()).and_then(|()| match self.pool() {
                Some(_) => result::free_async(at, self.main_stream()),
                None => result::free_sync(at),
            })
        };
        match freed {
            // At the end of the program the driver may be gone already.
            Ok(()) | Err(DriverError(CUresult::CUDA_ERROR_DEINITIALIZED)) => {}
            Err(error) => log::warn!("memory was not freed: {}", self.failed("cuMemFree", error)),
        }
    }

    /// Sets bytes in stream order.
    ///
    /// # Safety
    /// The range is valid, and the context is current.
    pub(super) unsafe fn set_bytes(&self, at: u64, byte: u8, bytes: usize) -> Result<()> {
        // SAFETY: by the caller's word.
        unsafe { result::memset_d8_async(at, byte, bytes, self.stream()) }
            .map_err(|error| self.failed("cuMemsetD8Async", error))
    }
}

fn address(at: NonNull<u8>) -> u64 {
    at.as_ptr().addr() as u64
}

// SAFETY: the driver's memory is valid until freed. All work on it goes to one stream in the order of the calls, and what
// touches the host's memory has done so when the calls return.
unsafe impl Backend for CudaDevice {
    fn name(&self) -> &str {
        &self.name
    }

    fn label(&self) -> &str {
        &self.label
    }

    fn is_host(&self) -> bool {
        false
    }

    fn cuda(&'static self) -> Option<&'static CudaDevice> {
        Some(self)
    }

    fn alloc(&self, bytes: usize, init: Init) -> Result<NonNull<u8>> {
        graph::refuse(self, "the allocation of a field", "make the fields before the capture")?;
        self.bind()?;
        let at = self.alloc_bytes(bytes)?;
        let Some(pointer) = usize::try_from(at).ok().and_then(std::num::NonZero::new) else {
            return Err(Error::OutOfMemory {
                bytes,
                place: self.label.clone(),
            });
        };
        if init == Init::Zeroed {
            // SAFETY: the memory is as large.
            if let Err(error) = unsafe { self.set_bytes(at, 0, bytes) } {
                self.free_bytes(at);
                return Err(error);
            }
        }
        Ok(NonNull::without_provenance(pointer))
    }

    unsafe fn free(&self, at: NonNull<u8>, _: usize) {
        if !self.keep_for_graphs(address(at)) {
            self.free_bytes(address(at));
        }
    }

    unsafe fn upload(&self, to: NonNull<u8>, from: *const u8, bytes: usize) -> Result<()> {
        graph::refuse(self, "writing to a field from the host", graph::NEEDS_HOST)?;
        self.bind()?;
        if bytes > SMALL_UPLOAD {
            // SAFETY: by the caller's word; the context is current.
            return unsafe { self.upload_staged(to, from, bytes) };
        }
        // SAFETY: by the caller's word; from pageable memory the driver has taken the bytes when it returns.
        unsafe { sys::cuMemcpyHtoDAsync_v2(address(to), from.cast(), bytes, self.main_stream()).result() }
            .map_err(|error| self.failed("cuMemcpyHtoDAsync", error))
    }

    unsafe fn download(&self, to: *mut u8, from: NonNull<u8>, bytes: usize) -> Result<()> {
        graph::refuse(self, "reading a field from the host", graph::NEEDS_HOST)?;
        self.bind()?;
        if bytes > SLOT {
            // SAFETY: by the caller's word; the context is current.
            unsafe { self.download_staged(to, from, bytes)? };
            return self.report();
        }
        self.with_slot(|slot| {
            let at = slot.host.as_ptr();
            // SAFETY: by the caller's word, and the slot is ours and large enough; the copy is done after the wait.
            unsafe {
                sys::cuMemcpyDtoHAsync_v2(at.cast(), address(from), bytes, self.main_stream())
                    .result()
                    .map_err(|error| self.failed("cuMemcpyDtoHAsync", error))?;
                self.wait()?;
                std::ptr::copy_nonoverlapping(at, to, bytes);
            }
            Ok(())
        })?;
        self.report()
    }

    unsafe fn copy(&self, to: NonNull<u8>, from: NonNull<u8>, bytes: usize) -> Result<()> {
        self.bind()?;
        self.hold_for_capture(&[address(to), address(from)]);
        // SAFETY: by the caller's word.
        unsafe { result::memcpy_dtod_async(address(to), address(from), bytes, self.stream()) }
            .map_err(|error| self.failed("cuMemcpyDtoDAsync", error))
    }

    unsafe fn fill(&self, to: NonNull<u8>, value: *const u8, size: usize, count: usize) -> Result<()> {
        self.bind()?;
        self.hold_for_capture(&[address(to)]);
        let (at, stream) = (address(to), self.stream());
        // SAFETY: by the caller's word `value` has `size` bytes.
        let bytes = unsafe { std::slice::from_raw_parts(value, size) };
        if bytes.iter().all(|byte| *byte == bytes[0]) {
            // SAFETY: by the caller's word there is room for all values.
            return unsafe { self.set_bytes(at, bytes[0], size * count) };
        }
        // SAFETY: by the caller's word there is room for all values, at an address that is aligned to 64.
        unsafe {
            match *bytes {
                [a, b] => sys::cuMemsetD16Async(at, u16::from_ne_bytes([a, b]), count, stream)
                    .result()
                    .map_err(|error| self.failed("cuMemsetD16Async", error)),
                [a, b, c, d] => sys::cuMemsetD32Async(at, u32::from_ne_bytes([a, b, c, d]), count, stream)
                    .result()
                    .map_err(|error| self.failed("cuMemsetD32Async", error)),
                _ => self.fill_by_doubling(to, value, size, count),
            }
        }
    }

    fn synchronize(&self) -> Result<()> {
        CudaDevice::synchronize(self)
    }

    fn memory(&self) -> Result<MemoryInfo> {
        self.memory_info()
    }

    fn capability(&self) -> Option<(u32, u32)> {
        Some(self.capability)
    }

    unsafe fn launch(
        &'static self,
        kernel: &KernelRef,
        args: &[LaunchArg<'_>],
        result: Option<(NonNull<u8>, usize)>,
    ) -> Result<()> {
        // SAFETY: passed on.
        unsafe { self.launch_kernel(kernel, args, result) }
    }

    fn precompile(&'static self, kernel: &KernelRef) -> Result<()> {
        self.kernel(kernel, super::launch::usual(), "asked for in advance")
            .map(drop)
    }
}

impl CudaDevice {
    /// Uploads one value, and copies what is there until all is there.
    ///
    /// # Safety
    /// As for [`Backend::fill`]; the context is current.
    unsafe fn fill_by_doubling(&self, to: NonNull<u8>, value: *const u8, size: usize, count: usize) -> Result<()> {
        graph::refuse(
            self,
            "filling a field with a value of this size",
            "the value lies on the host; fill by a kernel",
        )?;
        let (at, total) = (address(to), size * count);
        // SAFETY: by the caller's word; the ranges copied to do not overlap those copied from.
        unsafe {
            self.upload(to, value, size)?;
            let mut done = size;
            while done < total {
                let step = done.min(total - done);
                result::memcpy_dtod_async(at + done as u64, at, step, self.stream())
                    .map_err(|error| self.failed("cuMemcpyDtoDAsync", error))?;
                done += step;
            }
        }
        Ok(())
    }
}
