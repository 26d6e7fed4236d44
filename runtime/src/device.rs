//! Devices, and what a backend does for them.

use std::fmt;
use std::ptr::NonNull;

use crate::cpu::memory::Cpu;
use crate::error::Result;

/// Where fields live and kernels run: the CPU with all its cores, or a GPU.
///
/// A handle: cheap to clone, equal to another if both name the same device.
#[derive(Clone)]
pub struct Device(&'static dyn Backend);

impl Device {
    /// The CPU. Kernels run on the threads of rayon's current pool, so that [`rayon::ThreadPool::install`] decides how
    /// many.
    #[must_use]
    pub fn cpu() -> Device {
        static CPU: Cpu = Cpu::new();
        Device(&CPU)
    }

    /// Every device of this machine that can be used, the CPU last.
    #[must_use]
    pub fn all() -> Vec<Device> {
        vec![Device::cpu()]
    }

    /// Its name: `cpu`, or the driver's name of a GPU.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// Whether it is the CPU.
    #[must_use]
    pub fn is_cpu(&self) -> bool {
        *self == Device::cpu()
    }

    #[cfg(test)]
    pub(crate) fn from_backend(backend: &'static dyn Backend) -> Device {
        Device(backend)
    }

    pub(crate) fn backend(&self) -> &'static dyn Backend {
        self.0
    }
}

impl Default for Device {
    /// The first CUDA device if there is one that can be used, else the CPU.
    fn default() -> Device {
        Device::all().into_iter().next().unwrap_or_else(Device::cpu)
    }
}

impl PartialEq for Device {
    fn eq(&self, other: &Device) -> bool {
        std::ptr::addr_eq(self.0, other.0)
    }
}

impl Eq for Device {}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({})", self.name())
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
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
/// `alloc` returns memory that stays valid, and is no one else's, until `free`; the other methods move the bytes that
/// they say, and have done so when they return.
pub(crate) unsafe trait Backend: Send + Sync {
    /// Name for messages.
    fn name(&self) -> &str;

    /// Whether the host can use the addresses of this memory as pointers.
    fn is_host(&self) -> bool;

    /// Allocates `bytes` (not 0) bytes at a multiple of 64.
    fn alloc(&self, bytes: usize, init: Init) -> Result<NonNull<u8>>;

    /// Frees what `alloc` returned.
    ///
    /// # Safety
    /// `at` came from `alloc(bytes, _)` of this backend and is not used afterwards.
    unsafe fn free(&self, at: NonNull<u8>, bytes: usize);

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

    /// Writes `count` (not 0) copies of the `size` (not 0) bytes at `value`, which is on the host.
    ///
    /// # Safety
    /// As for `upload`.
    unsafe fn fill(&self, to: NonNull<u8>, value: *const u8, size: usize, count: usize) -> Result<()>;
}
