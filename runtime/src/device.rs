//! Devices, and what a backend does for them.

use std::any::{Any, TypeId};
use std::fmt;
use std::ptr::NonNull;
use std::sync::{LazyLock, OnceLock};

use swathe_device_kernels::Launch;

use crate::argument::LaunchArg;
use crate::capture;
use crate::cpu::memory::Cpu;
use crate::cpu::parallel;
use crate::cuda::{self, CudaDevice};
use crate::error::{Error, Result};
use crate::kernel::Instance;
use crate::launch::KernelInfo;

/// What keeps memory alive that somebody else allocated.
pub(crate) type Owner = Box<dyn Any + Send + Sync>;

/// Where fields live and kernels run: the CPU with all its cores, or a GPU.
///
/// A handle: cheap to clone, equal to another if both name the same device.
#[derive(Clone)]
pub struct Device {
    backend: &'static dyn Backend,
    /// Whether kernels of its fields verify what `unsafe` blocks claim.
    checked: bool,
}

/// Whether `SWATHE_CHECK=1` asks for `unsafe` blocks to be verified.
#[inline]
pub(crate) fn checked_by_default() -> bool {
    static CHECK: LazyLock<bool> = LazyLock::new(|| std::env::var_os("SWATHE_CHECK").is_some_and(|value| value == "1"));
    *CHECK
}

impl Device {
    /// The CPU. Kernels run on the threads of rayon's current pool, so that [`rayon::ThreadPool::install`] decides how
    /// many.
    #[must_use]
    #[inline]
    pub fn cpu() -> Device {
        static CPU: Cpu = Cpu::new();
        Device::of(&CPU)
    }

    /// Every device of this machine that can be used, the CPU last.
    #[must_use]
    pub fn all() -> Vec<Device> {
        let mut devices: Vec<Device> = cuda::devices().into_iter().map(|device| Device::of(device)).collect();
        devices.push(Device::cpu());
        devices
    }

    /// The CUDA device of this number, as the driver counts them.
    ///
    /// # Errors
    /// [`Error::Cuda`], which says what is missing and how to get it: the driver, a device, this number.
    pub fn cuda(index: usize) -> Result<Device> {
        Ok(Device::of(cuda::device(index)?))
    }

    #[inline]
    fn of(backend: &'static dyn Backend) -> Device {
        Device {
            backend,
            checked: false,
        }
    }

    /// The same device, for fields whose kernels verify at run time what their `unsafe` blocks claim: that `get_unchecked` stays inside of
    /// the field, and that no two iterations of a parallel loop access the same memory, one of them writing. What is found wrong is
    /// [`Error::OutOfBounds`] or [`Error::Collision`], of the kernel's call on the CPU, of the next call that waits on a GPU. One
    /// such field among the arguments is enough. `SWATHE_CHECK=1` in the environment asks for it throughout.
    ///
    /// Kernels without `unsafe` run as ever. Those with it run slower, on the CPU on one thread, and take memory: for each scalar, vector
    /// or matrix of an element 32 bytes, 64 where the field is also changed atomically.
    ///
    /// ```
    /// use swathe::prelude::*;
    ///
    /// #[kernel]
    /// fn scatter(to: &Field<u32>, values: &Field<f32>, out: &mut Field<f32>) {
    ///     for i in to.indices() {
    ///         // SAFETY: `to` holds each position once.
    ///         unsafe { out[to[i] as usize] = values[i] };
    ///     }
    /// }
    ///
    /// # fn main() -> swathe::Result<()> {
    /// let device = Device::cpu().checked();
    /// let values = Field::from_slice(&device, &[0.5, 1.5, 2.5])?;
    /// let mut out = Field::zeros(&device, 3)?;
    /// scatter(&Field::from_slice(&device, &[2, 0, 1])?, &values, &mut out)?;
    /// assert_eq!(out.to_vec()?, [1.5, 2.5, 0.5]);
    ///
    /// let twice = Field::from_slice(&device, &[2, 0, 2])?;
    /// let Err(swathe::Error::Collision(found)) = scatter(&twice, &values, &mut out) else {
    ///     panic!("iterations 0 and 2 both write `out[2]`");
    /// };
    /// assert_eq!((found.field, &*found.index), ("out", &[2][..]));
    /// assert_eq!((found.first.iteration, found.second.iteration), (0, 2));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn checked(&self) -> Device {
        Device {
            checked: true,
            ..self.clone()
        }
    }

    /// Whether it is one of [`Device::checked`].
    #[inline]
    pub(crate) fn asks_for_checks(&self) -> bool {
        self.checked
    }

    /// Whether it is one of [`Device::checked`], or `SWATHE_CHECK=1` makes all of them so.
    #[must_use]
    #[inline]
    pub fn is_checked(&self) -> bool {
        self.checked || checked_by_default()
    }

    /// Waits until all kernels launched on it have ended.
    ///
    /// # Errors
    /// What failed in them: [`Error::OutOfBounds`], [`Error::KernelPanic`], [`Error::Cuda`].
    pub fn synchronize(&self) -> Result<()> {
        self.backend.synchronize()
    }

    /// Its memory, in bytes. That of the CPU is known on Linux only.
    ///
    /// # Errors
    /// [`Error::Cuda`], or [`Error::Unknown`].
    pub fn memory(&self) -> Result<MemoryInfo> {
        self.backend.memory()
    }

    /// The compute capability of a GPU, major and minor.
    #[must_use]
    pub fn compute_capability(&self) -> Option<(u32, u32)> {
        self.backend.capability()
    }

    /// Its name: `cpu`, or the driver's name of a GPU.
    #[must_use]
    pub fn name(&self) -> &str {
        self.backend.name()
    }

    /// Whether it is the CPU.
    #[must_use]
    #[inline]
    pub fn is_cpu(&self) -> bool {
        *self == Device::cpu()
    }

    #[cfg(test)]
    pub(crate) fn from_backend(backend: &'static dyn Backend) -> Device {
        Device::of(backend)
    }

    pub(crate) fn backend(&self) -> &'static dyn Backend {
        self.backend
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
        std::ptr::addr_eq(self.backend, other.backend)
    }
}

impl Eq for Device {}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({})", self.backend.label())
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.backend.label())
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

    /// Writes `count` (not 0) copies of the `size` (not 0) bytes at `value`, which is on the host.
    ///
    /// # Safety
    /// As for `upload`.
    unsafe fn fill(&self, to: NonNull<u8>, value: *const u8, size: usize, count: usize) -> Result<()>;

    /// Runs kernels of the runtime's own, one after the other. It may return before they end.
    ///
    /// # Safety
    /// Their addresses are of memory of this device that nobody else uses meanwhile, unless all read it; `uses` has all
    /// of it, with whether it is written.
    unsafe fn run(&self, launches: &[Launch], _: &[(NonNull<u8>, bool)]) -> Result<()> {
        capture::refuse_on_cpu(|| "an operation on a field of the CPU".to_owned())?;
        for launch in launches {
            let blocks = launch.host_blocks();
            parallel::for_each(blocks as usize, None, |range| {
                for block in range {
                    // SAFETY: by the caller's word; blocks are independent of each other.
                    unsafe { launch.run_block_on_host(block as u32) };
                }
            });
        }
        Ok(())
    }

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
