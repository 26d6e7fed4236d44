//! A GPU's memory: allocated, freed, copied and filled in the order of its stream.

use std::any::Any;
use std::iter;
use std::ptr::NonNull;

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{self, CUresult, CUstream};
use swathe_device_kernels::{Launch, plan};

use super::device::{CudaDevice, lock};
use super::graph;
use super::order::{Access, Queue};
use super::pinned::SLOT;
use crate::device::argument::LaunchArg;
use crate::device::{Backend, Init, KernelRef, MemoryInfo, Owner};
use crate::error::{Error, Result};

/// Bytes of the largest value that a kernel takes to fill with.
const PATTERN: usize = 64;
/// Up to this size the driver itself takes bytes from pageable memory, without waiting for the work before.
const SMALL_UPLOAD: usize = 64 << 10;

impl CudaDevice {
    fn try_alloc(&self, bytes: usize, stream: CUstream) -> Result<u64, DriverError> {
        // SAFETY: the context is current, the stream alive, and the size not 0.
        unsafe {
            match self.pool() {
                Some(_) => result::malloc_async(stream, bytes),
                None => result::malloc_sync(bytes),
            }
        }
    }

    /// Memory that nobody has written; the context is current.
    pub(super) fn alloc_bytes(&self, bytes: usize) -> Result<u64> {
        let (lane, stream) = self.lane();
        let at = self.alloc_on(bytes, stream)?;
        self.allocated(at, bytes, lane);
        Ok(at)
    }

    /// The same, as an address and as a pointer.
    fn alloc_at(&self, bytes: usize) -> Result<(u64, NonNull<u8>)> {
        let at = self.alloc_bytes(bytes)?;
        match usize::try_from(at).ok().and_then(std::num::NonZero::new) {
            Some(address) => Ok((at, NonNull::without_provenance(address))),
            None => Err(Error::OutOfMemory {
                bytes,
                place: self.label.clone(),
            }),
        }
    }

    fn alloc_on(&self, bytes: usize, stream: CUstream) -> Result<u64> {
        let call = if self.pool().is_some() {
            "cuMemAllocAsync"
        } else {
            "cuMemAlloc"
        };
        let error = match self.try_alloc(bytes, stream) {
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
            if let (Ok(()), Ok(at)) = (trimmed, self.try_alloc(bytes, stream)) {
                return Ok(at);
            }
        }
        Err(self.allocation_failed(call, bytes, error))
    }

    /// Frees memory once the work before is done, unless a graph needs it.
    pub(super) fn free_bytes(&self, at: u64) {
        // SAFETY: by the callers' word the memory came from `alloc_bytes`, and is used by no later work.
        let freed = unsafe {
            result::ctx::set_current(self.context()).and_then(|()| match (self.released(at), self.pool()) {
                (None, _) => Ok(()),
                (Some(released), Some(_)) => result::free_async(at, released.stream),
                (Some(_), None) => result::free_sync(at),
            })
        };
        match freed {
            // At the end of the program the driver may be gone already.
            Ok(()) | Err(DriverError(CUresult::CUDA_ERROR_DEINITIALIZED)) => {}
            Err(error) => {
                let text = format!("memory was not freed: {}", self.failed("cuMemFree", error));
                // A logger may use the device.
                match self.tells_later() {
                    true => lock(&self.late).push(text),
                    false => log::warn!("{text}"),
                }
            }
        }
    }

    /// Sets bytes in the order of a stream.
    ///
    /// # Safety
    /// The range is valid, and the context is current.
    pub(super) unsafe fn set_bytes(&self, at: u64, byte: u8, bytes: usize, stream: CUstream) -> Result<()> {
        // SAFETY: by the caller's word.
        unsafe { result::memset_d8_async(at, byte, bytes, stream) }
            .map_err(|error| self.failed("cuMemsetD8Async", error))
    }
}

/// Whether memory of the host is such that the driver knows nothing of; a context is current.
fn is_pageable(at: *const u8) -> bool {
    let mut kind = 0_u32;
    let attribute = sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
    // SAFETY: the attribute has the size of an integer. Of memory that it does not know the driver says so.
    let known = unsafe { sys::cuPointerGetAttribute((&raw mut kind).cast(), attribute, at.addr() as u64) };
    matches!(known.result(), Err(DriverError(CUresult::CUDA_ERROR_INVALID_VALUE)))
}

fn address(at: NonNull<u8>) -> u64 {
    at.as_ptr().addr() as u64
}

// SAFETY: the driver's memory is valid until freed. Work on it is done in the order of the calls, on one stream or by waits
// between streams, and what touches the host's memory has done so when the calls return.
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

    fn as_any(&'static self) -> &'static dyn Any {
        self
    }

    fn alloc(&self, bytes: usize, init: Init) -> Result<NonNull<u8>> {
        graph::refuse(self, "the allocation of a field", "make the fields before the capture")?;
        self.bind()?;
        let (at, pointer) = self.alloc_at(bytes)?;
        if init == Init::Zeroed {
            // SAFETY: the memory is as large, and was allocated in the order of this stream.
            if let Err(error) = unsafe { self.set_bytes(at, 0, bytes, self.lane().1) } {
                self.free_bytes(at);
                return Err(error);
            }
        }
        Ok(pointer)
    }

    unsafe fn duplicate(&self, from: NonNull<u8>, bytes: usize) -> Result<NonNull<u8>> {
        self.bind()?;
        let (at, pointer) = self.alloc_at(bytes)?;
        let uses = [(at, Access::Write), (address(from), Access::Read)];
        // What a capture records runs later, and by then the memory may hold something else.
        let copied = self.ordered_now(uses.into_iter()).and_then(|stream| {
            // SAFETY: by the caller's word; the other memory is new.
            unsafe { result::memcpy_dtod_async(at, address(from), bytes, stream.handle) }
                .map_err(|error| self.failed("cuMemcpyDtoDAsync", error))
        });
        if let Err(error) = copied {
            self.free_bytes(at);
            return Err(error);
        }
        Ok(pointer)
    }

    fn share(&self, at: NonNull<u8>) -> bool {
        self.shared(address(at))
    }

    fn is_recorded(&self, at: NonNull<u8>) -> bool {
        self.in_graph(address(at))
    }

    fn unshare(&self, at: NonNull<u8>) {
        self.unshared(address(at));
    }

    fn replays(&self, at: NonNull<u8>) -> u64 {
        self.replays_at(address(at))
    }

    unsafe fn free(&self, at: NonNull<u8>, _: usize) {
        self.free_bytes(address(at));
    }

    fn adopt(&self, at: NonNull<u8>, bytes: usize) -> bool {
        self.adopted(address(at), bytes)
    }

    fn disown(&self, at: NonNull<u8>, owner: Owner) -> Option<Owner> {
        self.disowned(address(at), owner)
    }

    unsafe fn upload(&self, to: NonNull<u8>, from: *const u8, bytes: usize) -> Result<()> {
        graph::refuse(self, "writing to a field from the host", graph::NEEDS_HOST)?;
        self.bind()?;
        let stream = self.ordered(iter::once((address(to), Access::Write)))?;
        if bytes > SMALL_UPLOAD {
            let stream = stream.loosened();
            // SAFETY: by the caller's word; the context is current.
            let done = unsafe { self.upload_staged(to, from, bytes, stream.handle) };
            self.noted(address(to), Access::Write);
            return done;
        }
        // SAFETY: by the caller's word.
        unsafe { self.upload_small(address(to), from, bytes, stream.handle)? };
        self.taken(from, stream)
    }

    unsafe fn download(&self, to: *mut u8, from: NonNull<u8>, bytes: usize) -> Result<()> {
        graph::refuse(self, "reading a field from the host", graph::NEEDS_HOST)?;
        self.bind()?;
        let stream = self.ordered(iter::once((address(from), Access::Read)))?;
        if bytes > SLOT {
            let stream = stream.loosened();
            // SAFETY: by the caller's word; the context is current.
            let done = unsafe { self.download_staged(to, from, bytes, stream.handle) };
            self.noted(address(from), Access::Read);
            drop(stream);
            done?;
            return self.report();
        }
        self.with_slot(|slot| {
            let at = slot.host.as_ptr();
            // SAFETY: by the caller's word, and the slot is ours and large enough; the copy is done after the wait.
            unsafe {
                sys::cuMemcpyDtoHAsync_v2(at.cast(), address(from), bytes, stream.handle)
                    .result()
                    .map_err(|error| self.failed("cuMemcpyDtoHAsync", error))?;
                self.wait_for(stream.queued())?;
                std::ptr::copy_nonoverlapping(at, to, bytes);
            }
            Ok(())
        })?;
        self.report()
    }

    unsafe fn copy(&self, to: NonNull<u8>, from: NonNull<u8>, bytes: usize) -> Result<()> {
        self.bind()?;
        let uses = [(address(to), Access::Write), (address(from), Access::Read)];
        let stream = self.ordered(uses.into_iter())?;
        // SAFETY: by the caller's word.
        unsafe { result::memcpy_dtod_async(address(to), address(from), bytes, stream.handle) }
            .map_err(|error| self.failed("cuMemcpyDtoDAsync", error))
    }

    unsafe fn fill(&self, to: NonNull<u8>, value: *const u8, size: usize, count: usize) -> Result<()> {
        self.bind()?;
        let at = address(to);
        // SAFETY: by the caller's word `value` has `size` bytes.
        let bytes = unsafe { std::slice::from_raw_parts(value, size) };
        if bytes.iter().all(|byte| *byte == bytes[0]) {
            let stream = self.ordered(iter::once((at, Access::Write)))?;
            // SAFETY: by the caller's word there is room for all values.
            return unsafe { self.set_bytes(at, bytes[0], size * count, stream.handle) };
        }
        if size <= PATTERN {
            // SAFETY: as above.
            return unsafe { self.run_builtin(&plan::fill(at, (size * count) as u64, bytes), &[(to, true)]) };
        }
        let stream = self.ordered(iter::once((at, Access::Write)))?;
        // SAFETY: as above.
        unsafe { self.fill_by_doubling(to, value, size, count, stream.handle)? };
        self.taken(value, stream)
    }

    unsafe fn run(&self, launches: &[Launch], uses: &[(NonNull<u8>, bool)]) -> Result<()> {
        // SAFETY: passed on.
        unsafe { self.run_builtin(launches, uses) }
    }

    fn undivided(&self, work: &mut dyn FnMut() -> Result<()>) -> Result<bool> {
        let Some(held) = self.hold_turn() else {
            return work().map(|()| false);
        };
        work()?;
        Ok(held.end())
    }

    fn tell(&self) -> Result<()> {
        let late = std::mem::take(&mut *lock(&self.late));
        late.iter().for_each(|text| log::warn!("{text}"));
        self.report()
    }

    fn synchronize(&self) -> Result<()> {
        CudaDevice::synchronize(self)
    }

    fn settle(&self) -> Result<()> {
        self.enter()?;
        self.wait()
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
        let usual = super::launch::usual();
        let variant = if kernel.checked { usual.with_checks() } else { usual };
        self.kernel(kernel, variant, "asked for in advance").map(drop)
    }
}

impl CudaDevice {
    /// Copies to the device. The driver has taken the bytes when the work is [`taken`](Self::taken).
    ///
    /// # Safety
    /// Both ranges are valid; the context is current.
    unsafe fn upload_small(&self, to: u64, from: *const u8, bytes: usize, stream: CUstream) -> Result<()> {
        // SAFETY: by the caller's word.
        unsafe { sys::cuMemcpyHtoDAsync_v2(to, from.cast(), bytes, stream).result() }
            .map_err(|error| self.failed("cuMemcpyHtoDAsync", error))
    }

    /// Waits for a copy from the host, unless the driver took the bytes when it was queued: so it does from pageable memory.
    /// Source: CUDA Driver API, API synchronization behavior.
    fn taken(&self, from: *const u8, stream: Queue<'_>) -> Result<()> {
        match is_pageable(from) {
            true => Ok(()),
            false => self.wait_for(stream.queued()),
        }
    }

    /// Uploads one value, and copies what is there until all is there.
    ///
    /// # Safety
    /// As for [`Backend::fill`]; the context is current.
    unsafe fn fill_by_doubling(
        &self,
        to: NonNull<u8>,
        value: *const u8,
        size: usize,
        count: usize,
        stream: CUstream,
    ) -> Result<()> {
        graph::refuse(
            self,
            "filling a field with a value of this size",
            "the value lies on the host; fill by a kernel",
        )?;
        let (at, total) = (address(to), size * count);
        // SAFETY: by the caller's word; the ranges copied to do not overlap those copied from.
        unsafe {
            self.upload_small(at, value, size, stream)?;
            let mut done = size;
            while done < total {
                let step = done.min(total - done);
                result::memcpy_dtod_async(at + done as u64, at, step, stream)
                    .map_err(|error| self.failed("cuMemcpyDtoDAsync", error))?;
                done += step;
            }
        }
        Ok(())
    }
}
