//! One call of a kernel, from its arguments to its errors.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, Result};
use crate::field::{Field, MAX_RANK};

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

    /// Runs the kernel's native code.
    ///
    /// # Errors
    /// [`Error::KernelPanic`] if it panics, else [`Error::OutOfBounds`] if it recorded a failure.
    #[inline]
    pub fn run<R>(self, native: impl FnOnce(&Launch) -> Result<R, Failed>) -> Result<R> {
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
