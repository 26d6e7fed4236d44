//! One call of a kernel, from its arguments to its errors.

use std::any::{Any, TypeId};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::sync::{Mutex, PoisonError};

use crate::argument::LaunchArg;
use crate::cuda;
use crate::device::{Device, KernelRef};
use crate::element::{Element, KernelType};
use crate::error::{Error, Result};
use crate::field::{Field, MAX_RANK};
use crate::kernel::probe::KernelDef;

/// What messages say about a kernel.
#[derive(Clone, Copy, Debug)]
pub struct KernelInfo {
    /// Its name.
    pub name: &'static str,
    /// Its source file.
    pub file: &'static str,
    /// The line of its name.
    pub line: u32,
    /// Its checked accesses.
    pub sites: &'static [Site],
}

/// One access that is checked while the kernel runs.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// The parameter that holds the field.
    pub field: &'static str,
    /// Where the access stands.
    pub line: u32,
    /// Where the access stands.
    pub column: u32,
}

/// Native code stopped at the top level, after a failure that it recorded.
#[derive(Clone, Copy, Debug)]
pub struct Failed;

/// One call of a kernel.
pub struct Launch {
    info: &'static KernelInfo,
    first: Option<(&'static str, Device)>,
    failures: Mutex<Failures>,
}

#[derive(Clone, Copy, Default)]
struct Failures {
    count: usize,
    /// The least by site, then position: the same one however many threads run.
    least: Option<(u32, [usize; MAX_RANK])>,
    shape: [usize; MAX_RANK],
    rank: usize,
}

impl Launch {
    /// Starts a call.
    #[inline]
    #[must_use]
    pub fn new(info: &'static KernelInfo) -> Launch {
        Launch {
            info,
            first: None,
            failures: Mutex::new(Failures::default()),
        }
    }

    /// Says that the call has this argument.
    ///
    /// # Errors
    /// If it lies on another device than the arguments before it.
    #[inline]
    pub fn field<T: Element, const D: usize>(&mut self, arg: &'static str, field: &Field<T, D>) -> Result<()> {
        match &self.first {
            None => {
                self.first = Some((arg, field.device().clone()));
                Ok(())
            }
            Some((_, device)) if device == field.device() => Ok(()),
            Some((first, device)) => Err(Error::DeviceMismatch {
                kernel: self.info.name,
                first,
                first_device: device.clone(),
                second: arg,
                second_device: field.device().clone(),
            }),
        }
    }

    /// The device of the fields; the CPU for a kernel without fields.
    #[must_use]
    pub fn device(&self) -> Device {
        self.first
            .as_ref()
            .map_or_else(Device::cpu, |(_, device)| device.clone())
    }

    /// Whether the fields lie on a device whose memory native code cannot reach.
    #[inline]
    #[must_use]
    pub fn is_remote(&self) -> bool {
        match &self.first {
            Some((_, device)) => !device.is_cpu(),
            None => false,
        }
    }

    /// Runs the kernel on the device of its fields. Without a result it may return before the kernel ends; what fails
    /// in it is then reported by the next call that waits for the device.
    ///
    /// # Errors
    /// Of the compilation, of the driver, and those of kernels launched before.
    ///
    /// # Safety
    /// The arguments are those of the kernel `K`, in their order, their fields are those that [`Launch::field`] was told of,
    /// and `R` is its result.
    pub unsafe fn run_remote<K: KernelDef, R: KernelType>(self, args: &[LaunchArg<'_>]) -> Result<R> {
        let kernel = KernelRef {
            key: TypeId::of::<K>(),
            load: K::load,
            info: self.info,
        };
        let device = self.device();
        let run = |result| {
            // SAFETY: by the caller's word, and `field` has compared the devices.
            unsafe { device.backend().launch(&kernel, args, result) }
        };
        let (size, _) = R::device_layout();
        let mut few = [0_u64; 16];
        let mut many = Vec::new();
        let words = if size <= size_of_val(&few) {
            &mut few[..]
        } else {
            many.resize(size.div_ceil(8), 0_u64);
            &mut many[..]
        };
        let at = NonNull::from(&mut *words).cast::<u8>();
        run((size > 0).then_some((at, size)))?;
        // SAFETY: the kernel wrote a value of this type; a type without size has one value.
        Ok(unsafe { R::unpack(words.as_ptr().cast()) })
    }

    /// Runs the kernel's native code.
    ///
    /// # Errors
    /// [`Error::KernelPanic`] if it panics, else [`Error::OutOfBounds`] if it recorded a failure;
    /// [`CudaError::NotCapturable`](crate::CudaError::NotCapturable) within the capture of a graph.
    #[inline]
    pub fn run<R>(self, native: impl FnOnce(&Launch) -> Result<R, Failed>) -> Result<R> {
        cuda::refuse_on_cpu(|| format!("kernel `{}` on the CPU", self.info.name))?;
        // Unwind safety: after a panic the fields hold what the iterations wrote so far, which is a valid state since
        // every value of an element is; nothing else is shared.
        match catch_unwind(AssertUnwindSafe(|| native(&self))) {
            Ok(Ok(result)) if self.failures().count == 0 => Ok(result),
            Ok(_) => Err(self.failure()),
            Err(payload) => Err(self.panicked(payload.as_ref())),
        }
    }

    /// Records that the access at `site` of the kernel's sites is out of bounds.
    #[cold]
    #[inline(never)]
    pub fn fail(&self, site: u32, index: &[usize], shape: &[usize]) {
        let mut position = [0; MAX_RANK];
        let rank = index.len().min(MAX_RANK);
        position[..rank].copy_from_slice(&index[..rank]);
        let mut failures = self.failures();
        failures.count = failures.count.saturating_add(1);
        if failures.least.is_none_or(|least| (site, position) < least) {
            failures.least = Some((site, position));
            failures.rank = rank;
            failures.shape = [0; MAX_RANK];
            let rank = shape.len().min(MAX_RANK);
            failures.shape[..rank].copy_from_slice(&shape[..rank]);
        }
    }

    fn failures(&self) -> std::sync::MutexGuard<'_, Failures> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cold]
    fn failure(&self) -> Error {
        let failures = *self.failures();
        let KernelInfo {
            name,
            file,
            line,
            sites,
        } = *self.info;
        let Some((site, index)) = failures.least else {
            return Error::KernelPanic {
                kernel: name,
                file,
                line,
                message: "stopped without a reason".to_owned(),
            };
        };
        let site = sites.get(site as usize).copied().unwrap_or(Site {
            field: "?",
            line,
            column: 1,
        });
        Error::OutOfBounds {
            kernel: name,
            file,
            line: site.line,
            column: site.column,
            field: site.field,
            index: index[..failures.rank].into(),
            shape: failures.shape[..failures.rank].into(),
            count: failures.count,
        }
    }

    #[cold]
    fn panicked(&self, payload: &(dyn Any + Send)) -> Error {
        let message = if let Some(text) = payload.downcast_ref::<&str>() {
            (*text).to_owned()
        } else if let Some(text) = payload.downcast_ref::<String>() {
            text.clone()
        } else {
            "a value that is no text".to_owned()
        };
        let KernelInfo { name, file, line, .. } = *self.info;
        Error::KernelPanic {
            kernel: name,
            file,
            line,
            message,
        }
    }
}
