//! Devices, and what a backend does for them.

use std::any::TypeId;
use std::fmt;
use std::ptr::NonNull;
use std::sync::OnceLock;

use crate::argument::LaunchArg;
use crate::cpu::memory::Cpu;
use crate::cuda::{self, CudaDevice};
use crate::error::{Error, Result};
use crate::kernel::Instance;
use crate::launch::KernelInfo;

/// Where fields live and kernels run: the CPU with all its cores, or a GPU.
///
/// A handle: cheap to clone, equal to another if both name the same device.
#[derive(Clone)]
pub struct Device(&'static dyn Backend);

impl Device {
    /// The CPU. Kernels run on the threads of rayon's current pool, so that [`rayon::ThreadPool::install`] decides how
    /// many.
    #[must_use]
    #[inline]
    pub fn cpu() -> Device {
        static CPU: Cpu = Cpu::new();
        Device(&CPU)
    }

    /// Every device of this machine that can be used, the CPU last.
    #[must_use]
    pub fn all() -> Vec<Device> {
        let mut devices: Vec<Device> = cuda::devices().into_iter().map(|device| Device(device)).collect();
        devices.push(Device::cpu());
        devices
    }

    /// The CUDA device of this number, as the driver counts them.
    ///
    /// # Errors
    /// [`Error::Cuda`], which says what is missing and how to get it: the driver, a device, this number.
    pub fn cuda(index: usize) -> Result<Device> {
        Ok(Device(cuda::device(index)?))
    }

    /// Waits until all kernels launched on it have ended.
    ///
    /// # Errors
    /// What failed in them: [`Error::OutOfBounds`], [`Error::KernelPanic`], [`Error::Cuda`].
    pub fn synchronize(&self) -> Result<()> {
        self.0.synchronize()
    }

    /// Its memory, in bytes. That of the CPU is known on Linux only.
    ///
    /// # Errors
    /// [`Error::Cuda`], or [`Error::Unknown`].
    pub fn memory(&self) -> Result<MemoryInfo> {
        self.0.memory()
    }

    /// The compute capability of a GPU, major and minor.
    #[must_use]
    pub fn compute_capability(&self) -> Option<(u32, u32)> {
        self.0.capability()
    }

    /// Its name: `cpu`, or the driver's name of a GPU.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// Whether it is the CPU.
    #[must_use]
    #[inline]
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
        static FIRST: OnceLock<Device> = OnceLock::new();
        FIRST
            .get_or_init(|| Device::all().into_iter().next().unwrap_or_else(Device::cpu))
            .clone()
    }
}

impl PartialEq for Device {
    #[inline]
    fn eq(&self, other: &Device) -> bool {
        std::ptr::addr_eq(self.0, other.0)
    }
}

impl Eq for Device {}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({})", self.0.label())
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.label())
    }
}

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
    /// `at` came from `alloc(bytes, _)` of this backend and is not used afterwards.
    unsafe fn free(&self, at: NonNull<u8>, bytes: usize);

    /// Gets to know memory that somebody else allocated; says whether it has to be told of its end.
    fn adopt(&self, _: NonNull<u8>, _: usize) -> bool {
        false
    }

    /// Forgets adopted memory; `false` if something recorded refers to it, to be used again.
    fn disown(&self, _: NonNull<u8>) -> bool {
        true
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

    /// Writes `count` (not 0) copies of the `size` (not 0) bytes at `value`, which is on the host.
    ///
    /// # Safety
    /// As for `upload`.
    unsafe fn fill(&self, to: NonNull<u8>, value: *const u8, size: usize, count: usize) -> Result<()>;

    /// Waits for all kernels, and reports what failed in them.
    fn synchronize(&self) -> Result<()> {
        Ok(())
    }

    /// Size of the memory.
    fn memory(&self) -> Result<MemoryInfo>;

    /// Compute capability of a GPU.
    fn capability(&self) -> Option<(u32, u32)> {
        None
    }

    /// The device as a CUDA device.
    fn cuda(&'static self) -> Option<&'static CudaDevice> {
        None
    }

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
