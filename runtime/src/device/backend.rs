//! What a backend does for devices and their fields.

use std::any::{Any, TypeId};
use std::ptr::NonNull;

use swathe_device_kernels::Launch;

use super::argument::LaunchArg;
use crate::error::{Error, Result};
use crate::kernel::{Instance, KernelInfo};

/// What keeps memory alive that somebody else allocated.
pub(crate) type Owner = Box<dyn Any + Send + Sync>;

/// Bytes of a device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryInfo {
    /// All of it.
    pub total: usize,
    /// What is free now.
    pub free: usize,
}

/// A kernel, as a device gets to know it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KernelRef {
    /// Tells instances apart.
    pub key: TypeId,
    /// Loads the instance.
    pub load: fn() -> Instance,
    /// For messages.
    pub info: &'static KernelInfo,
    /// Whether it verifies what its `unsafe` blocks claim.
    pub checked: bool,
}

/// What fresh memory holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Init {
    /// Bytes zero.
    Zeroed,
    /// Anything: all of it is written before it is read.
    Uninit,
}

/// A device's memory. Backends live as long as the program, and no two of them share an address.
///
/// # Safety
/// `alloc` and `duplicate` return memory that stays valid, and is no one else's, until `free`; the other methods move the bytes that
/// they say, and have done so when they return.
pub(crate) unsafe trait Backend: Send + Sync {
    /// Its name.
    fn name(&self) -> &str;

    /// Its name in messages, different for each device.
    fn label(&self) -> &str {
        self.name()
    }

    /// Whether the host can use the addresses of this memory as pointers.
    fn is_host(&self) -> bool;

    /// Allocates `bytes` (not 0) bytes at a multiple of 64.
    fn alloc(&self, bytes: usize, init: Init) -> Result<NonNull<u8>>;

    /// Frees what `alloc` returned.
    ///
    /// # Safety
    /// `at` came from `alloc(bytes, _)` or `duplicate(_, bytes)` of this backend and is not used afterwards.
    unsafe fn free(&self, at: NonNull<u8>, bytes: usize);

    /// Gets to know memory that somebody else allocated; says whether it has to be told of its end.
    fn adopt(&self, _: NonNull<u8>, _: usize) -> bool {
        false
    }

    /// Whether something recorded refers to the allocation at this address, to be used again.
    fn is_recorded(&self, _: NonNull<u8>) -> bool {
        false
    }

    /// Forgets adopted memory and returns its owner, unless something recorded refers to it, to be used again: then the owner
    /// is dropped together with that.
    fn disown(&self, _: NonNull<u8>, owner: Owner) -> Option<Owner> {
        Some(owner)
    }

    /// From the host to the device.
    ///
    /// # Safety
    /// Both ranges are valid, and nobody else accesses them.
    unsafe fn upload(&self, to: NonNull<u8>, from: *const u8, bytes: usize) -> Result<()>;

    /// From the device to the host.
    ///
    /// # Safety
    /// Both ranges are valid, and nobody writes to them meanwhile.
    unsafe fn download(&self, to: *mut u8, from: NonNull<u8>, bytes: usize) -> Result<()>;

    /// Between two places of this device that do not overlap.
    ///
    /// # Safety
    /// As for `download`.
    unsafe fn copy(&self, to: NonNull<u8>, from: NonNull<u8>, bytes: usize) -> Result<()>;

    /// Fresh memory with the bytes of other memory of this device, copied now, also while a graph is captured.
    ///
    /// # Safety
    /// As for `download`.
    unsafe fn duplicate(&self, from: NonNull<u8>, bytes: usize) -> Result<NonNull<u8>> {
        let at = self.alloc(bytes, Init::Uninit)?;
        // SAFETY: by the caller's word; the memory is new.
        if let Err(error) = unsafe { self.copy(at, from, bytes) } {
            // SAFETY: from `alloc`, and not used.
            unsafe { self.free(at, bytes) };
            return Err(error);
        }
        Ok(at)
    }

    /// Lets one more field use memory of `alloc`, to read, unless something recorded refers to it: that may write to it at any
    /// time.
    fn share(&self, _: NonNull<u8>) -> bool {
        true
    }

    /// One of several fields does not use the memory any more.
    fn unshare(&self, _: NonNull<u8>) {}

    /// How often what is recorded, and writes to this memory, was run.
    fn replays(&self, _: NonNull<u8>) -> u64 {
        0
    }

    /// Writes `count` (not 0) copies of the `size` (not 0) bytes at `value`, which is on the host.
    ///
    /// # Safety
    /// As for `upload`. All bytes of the value are initialised, unless this is the host.
    unsafe fn fill(&self, to: NonNull<u8>, value: *const u8, size: usize, count: usize) -> Result<()>;

    /// Runs kernels of the runtime's own, one after the other. It may return before they end.
    ///
    /// # Safety
    /// Their addresses are of memory of this device that nobody else uses meanwhile, unless all read it; `uses` has all
    /// of it, with whether it is written.
    unsafe fn run(&self, launches: &[Launch], uses: &[(NonNull<u8>, bool)]) -> Result<()>;

    /// Does work while no launch of what is recorded is queued. Whether there may be something to [`tell`](Backend::tell) afterwards.
    fn undivided(&self, work: &mut dyn FnMut() -> Result<()>) -> Result<bool> {
        work().map(|()| false)
    }

    /// Tells what failed in kernels before, and what was printed.
    fn tell(&self) -> Result<()> {
        Ok(())
    }

    /// Waits for all kernels, and reports what failed in them.
    fn synchronize(&self) -> Result<()> {
        Ok(())
    }

    /// Waits for all kernels, in a capture too, and reports nothing.
    fn settle(&self) -> Result<()> {
        Ok(())
    }

    /// Size of the memory.
    fn memory(&self) -> Result<MemoryInfo>;

    /// Compute capability of a GPU.
    fn capability(&self) -> Option<(u32, u32)> {
        None
    }

    /// The backend itself, for those who know its type.
    fn as_any(&'static self) -> &'static dyn Any;

    /// Runs a kernel, and writes its result. Without a result it may return before the kernel ends.
    ///
    /// # Safety
    /// The arguments are those of the kernel, their fields are on this device, and there is room for the result,
    /// which is given with its size.
    unsafe fn launch(
        &'static self,
        kernel: &KernelRef,
        _: &[LaunchArg<'_>],
        _: Option<(NonNull<u8>, usize)>,
    ) -> Result<()> {
        Err(Error::NoKernels {
            kernel: kernel.info.name,
            device: self.label().to_owned(),
        })
    }

    /// Compiles a kernel.
    fn precompile(&'static self, _: &KernelRef) -> Result<()> {
        Ok(())
    }
}
