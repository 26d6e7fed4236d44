//! One call of a kernel, from its arguments to its errors.

use std::any::{Any, TypeId};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::ptr::NonNull;
use std::sync::{Mutex, PoisonError};

use crate::argument::{ArgKind, LaunchArg};
use crate::capture;
use crate::checks::Coverage;
use crate::codegen::Entry;
use crate::collision::met::{Met, Noted};
use crate::cpu::failure::{self, FunctionFailed};
use crate::device::{self, Device, KernelRef};
use crate::element::KernelType;
use crate::error::{Error, FailedAccess, Result};
use crate::field::{MAX_RANK, Staged};
use crate::kernel::probe::KernelDef;
use crate::kernel::shown::{self, Argument};
use crate::plan::LoopPlan;

/// How exact the float arithmetic of a kernel is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// The same bits on every device.
    Strict,
    /// Products and sums may be one operation.
    Contracted,
    /// Divisions, roots and functions may be approximate, too.
    Fast,
}

/// What messages say about a kernel.
#[derive(Clone, Copy, Debug)]
pub struct KernelInfo {
    /// Its name.
    pub name: &'static str,
    /// Its source file.
    pub file: &'static str,
    /// The line of its name.
    pub line: u32,
    /// How exact its float arithmetic is.
    pub arithmetic: Arithmetic,
    /// Its checked accesses.
    pub sites: &'static [Site],
    /// Its parallel loops.
    pub loops: &'static [LoopPlan],
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
    /// What keeps it in bounds.
    pub coverage: Coverage,
    /// Whether it stands in an `unsafe` block.
    pub in_unsafe: bool,
}

/// Native code stopped at the top level, after a failure that it recorded.
#[derive(Clone, Copy, Debug)]
pub struct Failed;

/// One call of a kernel.
pub struct Launch {
    info: &'static KernelInfo,
    first: Option<(&'static str, Device)>,
    /// Whether there are arrays of the host.
    external: bool,
    /// Whether a field's device asks for `unsafe` blocks to be verified.
    checked: bool,
    failures: Mutex<Failures>,
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

    /// Waits for the kernel, and copies back what it wrote: also of one that failed on some elements.
    ///
    /// # Safety
    /// The arrays that the kernel changes can be written.
    unsafe fn write_back(&self, device: &Device) -> Result<()> {
        let mut ended = Ok(());
        if self.0.iter().any(|(_, staged)| staged.is_written()) {
            ended = device.synchronize();
        }
        if matches!(&ended, Err(error) if !error.is_of_iterations()) {
            return ended;
        }
        for (_, staged) in self.0.iter().filter(|(_, staged)| staged.is_written()) {
            // SAFETY: by the caller's word.
            unsafe { staged.write_back()? };
        }
        ended
    }
}

#[derive(Default)]
struct Failures {
    count: usize,
    /// How many of them are collisions.
    collisions: usize,
    /// The least of these.
    collision: Option<Box<Met>>,
    /// The least by place, then by position or values: the same one however many threads run.
    least: Option<Least>,
}

struct Least {
    place: Place,
    index: [u64; Entry::ERRORS_WORDS],
    what: What,
}

enum What {
    Access {
        site: u32,
        shape: [usize; MAX_RANK],
        /// Of an offset field.
        origin: Option<[isize; MAX_RANK]>,
        rank: usize,
    },
    Message(String),
}

/// Where something failed, in the order in which failures are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// Number of accesses of the kernel up to here.
    order: u32,
    line: u32,
    column: u32,
    file: &'static str,
}

impl Place {
    /// In a function, whose failures come after those of the kernel itself.
    pub(crate) fn in_function(file: &'static str, line: u32, column: u32) -> Place {
        let order = u32::MAX;
        Place {
            order,
            line,
            column,
            file,
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
            failures: Mutex::new(Failures::default()),
        }
    }

    /// Says where an argument lives; `None` is memory of the host that is no field.
    ///
    /// # Errors
    /// If that is another device than that of the arguments before it.
    #[inline]
    pub fn argument(&mut self, name: &'static str, place: Option<&Device>) -> Result<()> {
        let Some(place) = place else {
            self.external = true;
            return Ok(());
        };
        self.checked |= place.asks_for_checks();
        match &self.first {
            None => {
                self.first = Some((name, place.clone()));
                Ok(())
            }
            Some((_, device)) if device == place => Ok(()),
            Some((first, device)) => Err(Error::DeviceMismatch {
                kernel: self.info.name,
                first,
                first_device: device.clone(),
                second: name,
                second_device: place.clone(),
            }),
        }
    }

    /// The device of the fields; without fields that of [`Device::default`] if there are arrays, else the CPU.
    #[must_use]
    #[inline]
    pub fn device(&self) -> Device {
        match &self.first {
            Some((_, device)) => device.clone(),
            None if self.external => Device::default(),
            None => Device::cpu(),
        }
    }

    /// Whether the kernel runs on a device whose memory native code cannot reach.
    #[inline]
    #[must_use]
    pub fn is_remote(&self) -> bool {
        match &self.first {
            Some((_, device)) => !device.is_cpu(),
            None => self.external && !Device::default().is_cpu(),
        }
    }

    /// Whether what `unsafe` blocks claim shall be verified.
    #[inline]
    #[must_use]
    pub fn is_checked(&self) -> bool {
        self.checked || device::checked_by_default()
    }

    /// Runs the kernel on the device of its fields. Without a result it may return before the kernel ends; what fails
    /// in it is then reported by the next call that waits for the device.
    ///
    /// # Errors
    /// Of the compilation, of the driver, and those of kernels launched before.
    ///
    /// # Safety
    /// The arguments are those of the kernel `K`, in their order, they live where [`Launch::argument`] was told,
    /// and `R` is its result.
    pub unsafe fn run_remote<K: KernelDef, R: KernelType>(self, args: &[LaunchArg<'_>]) -> Result<R> {
        let kernel = KernelRef {
            key: TypeId::of::<K>(),
            load: K::load,
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
        let failed = match run((size > 0).then_some((at, size))) {
            Err(error) if !error.is_of_iterations() => return Err(error),
            ran => ran,
        };
        // SAFETY: by the caller's word the arrays that the kernel changes can be written.
        let written = unsafe { staged.write_back(&device) };
        failed.and(written)?;
        // SAFETY: the kernel wrote a value of this type; a type without size has one value.
        Ok(unsafe { R::unpack(words.as_ptr().cast()) })
    }

    /// Runs the kernel's native code.
    ///
    /// # Errors
    /// [`Error::KernelPanic`] if it panics, else [`Error::OutOfBounds`] or [`Error::KernelFailure`] if it recorded a failure;
    /// [`Error::NotCapturable`](crate::Error::NotCapturable) within the capture of a graph.
    #[inline]
    pub fn run<R>(self, native: impl FnOnce(&Launch) -> Result<R, Failed>) -> Result<R> {
        capture::refuse_on_cpu(|| format!("kernel `{}` on the CPU", self.info.name))?;
        // Unwind safety: after a panic the fields hold what the iterations wrote so far, which is a valid state since
        // every value of an element is; nothing else is shared.
        match failure::enter(&self, || native(&self)) {
            Ok(Ok(result)) if self.failures().count == 0 => Ok(result),
            Err(payload) if !payload.is::<FunctionFailed>() => Err(self.panicked(payload.as_ref())),
            _ => Err(self.failure()),
        }
    }

    /// Records that the access at `site` of the kernel's sites is out of bounds.
    #[cold]
    #[inline(never)]
    pub fn fail(&self, site: u32, index: &[usize], shape: &[usize], origin: Option<&[isize]>) {
        let place = Place {
            order: site.saturating_add(1),
            line: 0,
            column: 0,
            file: self.info.file,
        };
        let mut words = [0; Entry::ERRORS_WORDS];
        for (word, k) in words.iter_mut().zip(index) {
            *word = *k as u64;
        }
        self.note(place, words, || {
            let mut extents = [0; MAX_RANK];
            let (axes, rank) = (shape.len().min(MAX_RANK), index.len().min(MAX_RANK));
            extents[..axes].copy_from_slice(&shape[..axes]);
            What::Access {
                site,
                shape: extents,
                origin: origin.map(|origin| {
                    let mut of_axes = [0; MAX_RANK];
                    of_axes[..axes].copy_from_slice(&origin[..axes]);
                    of_axes
                }),
                rank,
            }
        });
    }

    /// Records that an iteration failed by its own word, behind `order` of the kernel's accesses.
    #[cold]
    #[inline(never)]
    pub fn failed(&self, order: u32, line: u32, column: u32, template: &str, args: &[Argument]) {
        let file = self.info.file;
        let place = Place {
            order,
            line,
            column,
            file,
        };
        self.record(place, template, args);
    }

    pub(crate) fn record(&self, place: Place, template: &str, args: &[Argument]) {
        let mut index = [0; Entry::ERRORS_WORDS];
        for (word, value) in index.iter_mut().zip(shown::words(args)) {
            *word = value;
        }
        self.note(place, index, || What::Message(shown::message(template, args)));
    }

    fn note(&self, place: Place, index: [u64; Entry::ERRORS_WORDS], what: impl FnOnce() -> What) {
        let mut failures = self.failures();
        failures.count = failures.count.saturating_add(1);
        let what = match &failures.least {
            Some(least) => match (place, index).cmp(&(least.place, least.index)) {
                Ordering::Less => what(),
                // A division has two failures: that by zero comes first by its text, as it does on a device.
                Ordering::Equal => match (what(), &least.what) {
                    (What::Message(text), What::Message(other)) if text < *other => What::Message(text),
                    _ => return,
                },
                Ordering::Greater => return,
            },
            None => what(),
        };
        failures.least = Some(Least { place, index, what });
    }

    /// Records that two iterations collide at `index`.
    #[cold]
    pub(crate) fn collide(&self, accesses: [Noted; 2], index: &[usize]) {
        let met = Met::new(self.info, accesses, index);
        let mut failures = self.failures();
        failures.count = failures.count.saturating_add(1);
        failures.collisions = failures.collisions.saturating_add(1);
        if failures.collision.as_ref().is_none_or(|least| met < **least) {
            failures.collision = Some(Box::new(met));
        }
    }

    fn failures(&self) -> std::sync::MutexGuard<'_, Failures> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cold]
    fn failure(&self) -> Error {
        let failures = std::mem::take(&mut *self.failures());
        let KernelInfo {
            name,
            file,
            line,
            sites,
            ..
        } = *self.info;
        let Some(Least { place, index, what }) = failures.least else {
            if let Some(met) = &failures.collision {
                return Error::Collision(Box::new(met.collision(self.info)));
            }
            return Error::KernelPanic {
                kernel: name,
                file,
                line,
                message: "stopped without a reason".to_owned(),
            };
        };
        let count = failures.count - failures.collisions;
        let (site, shape, origin, rank) = match what {
            What::Access {
                site,
                shape,
                origin,
                rank,
            } => (site, shape, origin, rank),
            What::Message(message) => {
                return Error::KernelFailure {
                    kernel: name,
                    file: place.file,
                    line: place.line,
                    column: place.column,
                    message,
                    count,
                };
            }
        };
        let site = sites.get(site as usize).copied().unwrap_or(Site {
            field: "?",
            line,
            column: 1,
            coverage: Coverage::InPlace,
            in_unsafe: false,
        });
        let at = FailedAccess {
            kernel: name,
            file,
            line: site.line,
            column: site.column,
            field: site.field,
            count,
        };
        let index: Vec<usize> = index[..rank].iter().map(|k| *k as usize).collect();
        let origin = origin.as_ref().map(|origin| &origin[..rank]);
        Error::out_of_bounds(at, &index, &shape[..rank], origin)
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
