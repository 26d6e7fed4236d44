//! Devices, and what a backend does for them.

use std::fmt;
use std::sync::LazyLock;

use crate::error::Result;

pub(crate) mod argument;
pub(crate) mod backend;
pub(crate) mod capture;
pub(crate) mod quiet;
pub(crate) mod undivided;

pub use backend::MemoryInfo;
pub(crate) use backend::{Backend, Init, KernelRef, Owner};

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
    #[inline]
    pub(crate) fn of(backend: &'static dyn Backend) -> Device {
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

    /// Its name in messages, different for each device.
    pub(crate) fn label(&self) -> &'static str {
        self.backend.label()
    }

    pub(crate) fn backend(&self) -> &'static dyn Backend {
        self.backend
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
