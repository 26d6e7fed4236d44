//! One call of a kernel, from its arguments to its errors.

use std::any::{Any, TypeId};
use std::borrow::Cow;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::device::argument::{ArgKind, LaunchArg};
use crate::device::quiet::quietly;
use crate::device::{self, Backend, Device, KernelRef, capture};
use crate::element::KernelType;
use crate::error::{Error, Result};
use crate::field::Staged;
use crate::host::failure::{self, FunctionFailed};
use crate::kernel::failures::Failures;
use crate::kernel::probe::KernelDef;
use crate::kernel::{Instance, KernelInfo};
use crate::recording::{self, Place};

/// Native code stopped at the top level, after a failure that it recorded.
#[derive(Clone, Copy, Debug)]
pub struct Failed;

/// One call of a kernel.
pub struct Launch {
    info: &'static KernelInfo,
    /// The first field, and where it lives.
    first: Option<(&'static str, &'static dyn Backend)>,
    /// Whether there are arrays of the host.
    external: bool,
    /// Whether a field's device asks for `unsafe` blocks to be verified.
    checked: bool,
    /// Whether a thread records what it does with fields.
    recorded: bool,
    failures: Failures,
}

/// The host's arrays among the arguments of a launch, in the device's memory.
struct Stage<'a>(Vec<(usize, Staged<'a>)>);

impl<'a> Stage<'a> {
    /// # Safety
    /// The arrays can be read.
    unsafe fn new(device: &Device, kernel: &KernelInfo, args: &[LaunchArg<'a>]) -> Result<Self> {
        let mut staged = Vec::new();
        for (k, arg) in args.iter().enumerate() {
            if let ArgKind::Host(array) = arg.0 {
                capture::refuse_array(|| format!("an array as argument of kernel `{}`", kernel.name))?;
                // SAFETY: by the caller's word.
                staged.push((k, unsafe { Staged::new(device, array)? }));
            }
        }
        Ok(Stage(staged))
    }

    /// The arguments, with the copies in the place of the arrays.
    fn args<'s>(&self, args: &'s [LaunchArg<'a>]) -> Cow<'s, [LaunchArg<'a>]> {
        if self.0.is_empty() {
            return Cow::Borrowed(args);
        }
        let mut args = args.to_vec();
        for (k, staged) in &self.0 {
            args[*k] = staged.arg();
        }
        Cow::Owned(args)
    }

    /// Waits for the kernel, and copies back what it wrote: also of one that failed on some elements, as `ran` may say already. One failure is
    /// told. Those of kernels before are left to who waits next, so the copies ask for none.
    ///
    /// # Safety
    /// The arrays that the kernel changes can be written.
    unsafe fn write_back(&self, device: &Device, ran: Result<()>) -> Result<()> {
        let written = || self.0.iter().filter(|(_, staged)| staged.is_written());
        if written().next().is_none() {
            return ran;
        }
        let ended = match ran {
            Ok(()) => device.synchronize(),
            failed => device.backend().settle().and(failed),
        };
        if matches!(&ended, Err(error) if !error.is_of_iterations()) {
            return ended;
        }
        // SAFETY: by the caller's word.
        let copies = written().map(|(_, staged)| quietly(|| unsafe { staged.write_back() }));
        copies.fold(ended, Result::and)
    }
}

/// Tells once of a kernel that takes long since its crate is compiled without optimisation.
struct Watch(Option<(&'static KernelInfo, Instant)>);

impl Watch {
    /// What nobody waits for.
    const SHORT: Duration = Duration::from_millis(200);

    #[inline]
    fn new(info: &'static KernelInfo) -> Watch {
        Watch((!info.optimised).then(|| (info, Instant::now())))
    }

    #[cold]
    fn tell(info: &KernelInfo, time: Duration) {
        static TOLD: AtomicBool = AtomicBool::new(false);
        if time > Watch::SHORT && !TOLD.swap(true, Ordering::Relaxed) {
            log::warn!(
                "kernel `{}` took {time:.1?} without optimisation: kernels are compiled with the crate that they stand in; \
                 write `opt-level = 1` below `[profile.dev]` in Cargo.toml, or build with `--release`",
                info.name
            );
        }
    }
}

impl Drop for Watch {
    #[inline]
    fn drop(&mut self) {
        if let Some((info, start)) = self.0 {
            Watch::tell(info, start.elapsed());
        }
    }
}

impl Launch {
    /// Starts a call.
    #[inline]
    #[must_use]
    pub fn new(info: &'static KernelInfo) -> Launch {
        Launch {
            info,
            first: None,
            external: false,
            checked: false,
            recorded: recording::is_any(),
            failures: Failures::new(info),
        }
    }

    /// Says where an argument lives; `None` is memory of the host that is no field.
    ///
    /// # Errors
    /// If that is another device than that of the arguments before it; [`Error::NotRecordable`] if a recording would not see what
    /// becomes of it.
    #[inline]
    pub fn argument(&mut self, name: &'static str, place: Option<Place<'_>>) -> Result<()> {
        let Some(place) = place else {
            self.external = true;
            return Ok(());
        };
        if self.recorded {
            recording::argument(self.info.name, name, place.storage)?;
        }
        let place = place.device;
        self.checked |= place.asks_for_checks();
        match self.first {
            None => {
                self.first = Some((name, place.backend()));
                Ok(())
            }
            Some((_, backend)) if Device::of(backend) == *place => Ok(()),
            Some((first, backend)) => Err(Error::DeviceMismatch {
                kernel: self.info.name,
                first,
                first_device: backend.label(),
                second: name,
                second_device: place.label(),
            }),
        }
    }

    /// The device of the fields; without fields that of [`Device::default`] if there are arrays, else the CPU.
    #[must_use]
    #[inline]
    pub fn device(&self) -> Device {
        match self.first {
            Some((_, backend)) => Device::of(backend),
            None if self.external => Device::default(),
            None => Device::cpu(),
        }
    }

    /// Whether the kernel runs on a device whose memory native code cannot reach.
    #[inline]
    #[must_use]
    pub fn is_remote(&self) -> bool {
        match self.first {
            Some((_, backend)) => !Device::of(backend).is_cpu(),
            None => self.external && !Device::default().is_cpu(),
        }
    }

    /// Whether what `unsafe` blocks claim shall be verified.
    #[inline]
    #[must_use]
    pub fn is_checked(&self) -> bool {
        self.checked || device::checked_by_default()
    }

    /// Runs the kernel on the device of its fields. It may return before the kernel ends; what fails in it is then reported by the next call that
    /// waits for the device.
    ///
    /// # Errors
    /// Of the compilation, of the driver, and those of kernels launched before.
    ///
    /// # Safety
    /// The arguments are those of the kernel `K`, in their order, they live where [`Launch::argument`] was told, and it has no result.
    #[inline]
    pub unsafe fn run_remote<K: KernelDef>(&self, args: &[LaunchArg<'_>]) -> Result<()> {
        // SAFETY: by the caller's word.
        unsafe { self.launch_remote(TypeId::of::<K>(), K::load, args, 0, &mut |_| ()) }
    }

    /// The same for a kernel with a result, which it waits for.
    ///
    /// # Errors
    /// As there, and those of the kernel.
    ///
    /// # Safety
    /// As there, but that `R` is the kernel's result.
    #[inline]
    pub unsafe fn run_remote_for<K: KernelDef, R: KernelType>(&self, args: &[LaunchArg<'_>]) -> Result<R> {
        let mut result = None;
        let mut take = |at| {
            // SAFETY: the kernel wrote a value of this type; a type without size has one value.
            result = Some(unsafe { R::unpack(at) });
        };
        let size = R::device_layout().0;
        // SAFETY: by the caller's word.
        unsafe { self.launch_remote(TypeId::of::<K>(), K::load, args, size, &mut take)? };
        result.ok_or_else(|| self.failures.error())
    }

    /// Gives `take` the kernel's result, of `size` bytes. Programs have many kernels: what does not depend on their types is compiled once.
    ///
    /// # Safety
    /// As for [`Launch::run_remote`] and [`Launch::run_remote_for`].
    unsafe fn launch_remote(
        &self,
        key: TypeId,
        load: fn() -> Instance,
        args: &[LaunchArg<'_>],
        size: usize,
        take: &mut dyn FnMut(*const u8),
    ) -> Result<()> {
        let kernel = KernelRef {
            key,
            load,
            info: self.info,
            checked: self.is_checked() && self.info.has_unsafe(),
        };
        let device = self.device();
        // SAFETY: by the caller's word the arrays can be read.
        let staged = unsafe { Stage::new(&device, self.info, args)? };
        let args = staged.args(args);
        let run = |result| {
            // SAFETY: by the caller's word, and `argument` has compared the devices.
            unsafe { device.backend().launch(&kernel, &args, result) }
        };
        let mut few = [0_u64; 16];
        let mut many = Vec::new();
        let words = if size <= size_of_val(&few) {
            &mut few[..]
        } else {
            many.resize(size.div_ceil(8), 0_u64);
            &mut many[..]
        };
        let at = NonNull::from(&mut *words).cast::<u8>();
        let failed = match run((size > 0).then_some((at, size))) {
            Err(error) if !error.is_of_iterations() => return Err(error),
            ran => ran,
        };
        // SAFETY: by the caller's word the arrays that the kernel changes can be written.
        unsafe { staged.write_back(&device, failed)? };
        take(words.as_ptr().cast());
        Ok(())
    }

    /// Runs the native code of a kernel with a result, as [`Launch::run`].
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn run_for<R>(mut self, native: &mut dyn FnMut(&Failures) -> Result<R, Failed>) -> Result<R> {
        let mut result = None;
        self.run_native(&mut |failures| {
            result = Some(native(failures)?);
            Ok(())
        })?;
        result.ok_or_else(|| self.failures.error())
    }

    /// Runs a kernel's native code, once.
    ///
    /// # Errors
    /// [`Error::KernelPanic`] if it panics, else [`Error::OutOfBounds`] or [`Error::KernelFailure`] if it recorded a failure;
    /// [`Error::NotCapturable`](crate::Error::NotCapturable) within the capture of a graph.
    // Programs have many kernels: what does not depend on their types is compiled once.
    pub fn run(mut self, native: &mut dyn FnMut(&Failures) -> Result<(), Failed>) -> Result<()> {
        self.run_native(native)
    }

    fn run_native(&mut self, native: &mut dyn FnMut(&Failures) -> Result<(), Failed>) -> Result<()> {
        capture::refuse_on_cpu(|| format!("kernel `{}` on the CPU", self.info.name))?;
        // Unwind safety: after a panic the fields hold what the iterations wrote so far, which is a valid state since
        // every value of an element is; nothing else is shared.
        let watch = Watch::new(self.info);
        let ended = failure::enter(&self.failures, || native(&self.failures));
        drop(watch);
        match ended {
            Ok(Ok(())) if self.failures.is_empty() => Ok(()),
            Err(payload) if !payload.is::<FunctionFailed>() => Err(self.panicked(payload.as_ref())),
            _ => Err(self.failures.error()),
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
