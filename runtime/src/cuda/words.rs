//! Few words in the device's memory that kernels reach by an address: records of failures, and what is taken of the ring of texts.
//!
//! They are copied beside all other work, on a stream of their own: what is written is there when a call returns.

use cudarc::driver::result;
use cudarc::driver::sys::{self, CUstream};

use super::device::{CudaDevice, lock};
use crate::error::Result;

/// The stream, once it is needed.
#[derive(Default)]
pub(super) struct Aside(Option<CUstream>);

impl CudaDevice {
    /// Allocates words with these values; the context is current.
    pub(super) fn new_words(&self, values: &[u64]) -> Result<u64> {
        let bytes = size_of_val(values);
        // SAFETY: the context is current. Of a pool it would be memory in the order of one stream.
        let at = unsafe { result::malloc_sync(bytes) }
            .map_err(|error| self.allocation_failed("cuMemAlloc", bytes, error))?;
        // SAFETY: the words were just allocated.
        unsafe { self.write_words(at, values) }.inspect_err(|_| {
            // SAFETY: nobody else knows of them.
            let _ = unsafe { result::free_sync(at) };
        })?;
        Ok(at)
    }

    /// # Safety
    /// The words are there, no kernel that runs uses them, and the context is current.
    pub(super) unsafe fn write_words(&self, to: u64, values: &[u64]) -> Result<()> {
        let stream = self.aside()?;
        // SAFETY: by the caller's word; the values are there until the wait has ended.
        unsafe { sys::cuMemcpyHtoDAsync_v2(to, values.as_ptr().cast(), size_of_val(values), stream) }
            .result()
            .map_err(|error| self.failed("cuMemcpyHtoDAsync", error))?;
        self.wait_for(stream)
    }

    /// # Safety
    /// The words are there, and the context is current.
    pub(super) unsafe fn read_words<const N: usize>(&self, from: u64) -> Result<[u64; N]> {
        let mut values = [0; N];
        let stream = self.aside()?;
        // SAFETY: by the caller's word; the values are there until the wait has ended.
        unsafe { sys::cuMemcpyDtoHAsync_v2(values.as_mut_ptr().cast(), from, size_of_val(&values), stream) }
            .result()
            .map_err(|error| self.failed("cuMemcpyDtoHAsync", error))?;
        self.wait_for(stream)?;
        Ok(values)
    }

    fn aside(&self) -> Result<CUstream> {
        let mut aside = lock(&self.aside);
        if let Some(stream) = aside.0 {
            return Ok(stream);
        }
        let stream = result::stream::create(result::stream::StreamKind::NonBlocking)
            .map_err(|error| self.failed("cuStreamCreate", error))?;
        aside.0 = Some(stream);
        Ok(stream)
    }
}
