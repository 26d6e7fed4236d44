//! Kernels onto the stream.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::num::NonZero;
use std::ptr::NonNull;
use std::sync::LazyLock;

use cudarc::driver::result;
use cudarc::driver::sys;

use super::cells::Cells;
use super::device::CudaDevice;
use super::geometry::Geometry;
use super::graph;
use super::module::{Given, Kernel, LoadedEntry};
use super::order::{Access, Queue};
use super::pinned::SLOT;
use super::records::{Current, OwnRecord};
use crate::codegen::{Domain, IndexWidth, Length, Params, Variant};
use crate::device::KernelRef;
use crate::device::argument::{ArgKind, LaunchArg};
use crate::error::{Error, Result};

/// Arguments of a launch that need no memory from the heap.
const FEW: usize = 48;

impl CudaDevice {
    /// Runs a kernel: to the end if it has a result, else it is queued.
    ///
    /// # Safety
    /// The arguments are those of the kernel, their fields are on this device, and there is room for the result.
    pub(super) unsafe fn launch_kernel(
        &'static self,
        kernel: &KernelRef,
        args: &[LaunchArg<'_>],
        result: Option<(NonNull<u8>, usize)>,
    ) -> Result<()> {
        if result.is_some() {
            graph::refuse(
                self,
                &format!("kernel `{}`", kernel.info.name),
                "its result is needed on the host",
            )?;
        }
        let mut variant = variant(args).ok_or_else(|| Error::NoKernels {
            kernel: kernel.info.name,
            device: format!(
                "{} with a part of a field, or a structure of arrays, beyond its 128th argument",
                self.label
            ),
        })?;
        if kernel.checked {
            variant = variant.with_checks();
        }
        let mut loaded = self.kernel(kernel, variant, "first launch")?;
        let width = variant.index;
        if !loaded
            .narrowed
            .iter()
            .all(|k| value(*k, args).is_some_and(|n| width.holds(n)))
        {
            variant.index = IndexWidth::Bits64;
            loaded = self.kernel(kernel, variant, "first launch with large numbers")?;
        }
        if loaded.can_copy
            && let Some(copied) = loaded.worthwhile_copies(args)
        {
            variant.copied = copied;
            loaded = self.kernel(kernel, variant, "first launch with copies of small fields")?;
        }
        let kernel = loaded;
        self.bind()?;
        self.note(kernel.info);
        let cells = Cells::new(self, kernel, args)?;
        // Until all is on the stream: another launch of this kernel would write to the same frame.
        let mut state = kernel.hold();
        // SAFETY: by the caller's word.
        let (stream, own) = unsafe { self.enqueue(kernel, &mut state, args, &cells, result.is_some())? };
        let Some((result, bytes)) = result else { return Ok(()) };
        let Some(frame) = usize::try_from(kernel.scratch).ok().and_then(NonZero::new) else {
            return Ok(());
        };
        let frame = NonNull::<u8>::without_provenance(frame);
        if bytes > SLOT {
            let stream = stream.loosened();
            // SAFETY: by the caller's word there is room; the frame starts with the result.
            unsafe { self.download_staged(result.as_ptr(), frame, bytes, stream.handle)? };
            drop(state);
        } else {
            self.with_slot(|slot| {
                let at = slot.host.as_ptr();
                // SAFETY: by the caller's word, and the slot is large enough; the copy is done after the wait.
                unsafe {
                    sys::cuMemcpyDtoHAsync_v2(at.cast(), kernel.scratch, bytes, stream.handle)
                        .result()
                        .map_err(|error| self.failed("cuMemcpyDtoHAsync", error))?;
                    drop(state);
                    let stream = stream.queued();
                    self.wait_for(stream)?;
                    std::ptr::copy_nonoverlapping(at, result.as_ptr(), bytes);
                }
                Ok(())
            })?;
        }
        self.report_with(own)
    }

    /// Puts all entries of a kernel onto a stream, which it returns, with the record of failures that is this launch's own if it
    /// `waits` for its end.
    ///
    /// # Safety
    /// As for `launch_kernel`; the context is current.
    unsafe fn enqueue(
        &self,
        kernel: &'static Kernel,
        state: &mut Vec<Current>,
        args: &[LaunchArg<'_>],
        cells: &Cells<'_>,
        waits: bool,
    ) -> Result<(Queue<'_>, Option<OwnRecord<'_>>)> {
        let (mut errors, mut own) = (0, None);
        if kernel.fails {
            let record = self.record(kernel, state, args, waits)?;
            self.hold_record(record.id);
            errors = record.address;
            own = waits.then(|| self.own_record(record.id));
        }
        let stream = self.ordered(kernel.uses(args).chain(cells.uses()))?;
        if kernel.frame > 0 {
            // SAFETY: the scratch memory starts with the frame.
            unsafe { self.set_bytes(kernel.scratch, 0, kernel.frame, stream.handle)? };
        }
        let mut partials = 0;
        for entry in &kernel.entries {
            let iterations = entry.domain().map(|domain| iterations(domain, args));
            if iterations.is_some_and(|iterations| entry.is_skipped(iterations)) {
                continue;
            }
            let Geometry { grid, block } = entry.geometry(iterations.unwrap_or_default(), self.processors);
            if entry.is_partial() {
                partials = grid.0 * grid.1 * grid.2;
            }
            if entry.args.iter().any(|given| matches!(given, Given::Cells(_))) {
                // SAFETY: the cells are that large.
                unsafe { self.set_bytes(cells.at, 0, cells.bytes, stream.handle)? };
            }
            let known = Known {
                args,
                partials,
                errors,
                cells,
            };
            // SAFETY: by the caller's word; the driver copies the arguments before it returns.
            unsafe {
                known.with(entry, |pointers| {
                    let shared = entry.shared(|k| elements(k, args));
                    result::launch_kernel(entry.function, grid, block, shared, stream.handle, pointers)
                })
            }
            .map_err(|error| self.failed("cuLaunchKernel", error))?;
        }
        Ok((stream, own))
    }
}

impl Kernel {
    /// The fields that loops should change in copies.
    fn worthwhile_copies(&self, args: &[LaunchArg<'_>]) -> Option<Params> {
        let elements = |k: usize| elements(k, args);
        let mut params = Params::default();
        for entry in &self.entries {
            if let Some(domain) = entry.domain() {
                let iterations = iterations(domain, args);
                params = entry.add_worthwhile(params, iterations, elements).unwrap_or(params);
            }
        }
        let fit = self.entries.iter().all(|entry| entry.has_room_for(params, elements));
        (fit && params != Params::default()).then_some(params)
    }

    /// What a launch does with memory.
    fn uses<'a>(&'a self, args: &'a [LaunchArg<'_>]) -> impl Iterator<Item = (u64, Access)> + Clone + 'a {
        let fields = args.iter().zip(&self.access).filter_map(|(arg, access)| match arg.0 {
            ArgKind::Field { at, part, .. } => Some((part.map_or(at, |part| part.field).addr() as u64, *access)),
            ArgKind::Host(_) | ArgKind::Value(..) => None,
        });
        fields.chain((self.scratch != 0).then_some((self.scratch, Access::Write)))
    }
}

/// Elements of a field.
fn elements(k: usize, args: &[LaunchArg<'_>]) -> usize {
    match args[k].0 {
        ArgKind::Field { shape, .. } => shape.iter().product(),
        ArgKind::Host(_) | ArgKind::Value(..) => 0,
    }
}

/// Iterations of a loop along the axes of its grid, as far as the host knows them.
fn iterations(domain: Domain, args: &[LaunchArg<'_>]) -> [Option<usize>; 3] {
    let shape = |k: usize| match args[k].0 {
        ArgKind::Field { shape, .. } => shape,
        ArgKind::Host(_) | ArgKind::Value(..) => &[],
    };
    domain.lengths.map(|length| match length {
        Length::One => Some(1),
        Length::Elements(k) => Some(shape(k).iter().product()),
        Length::Extent(k, axis) => Some(shape(k)[axis]),
        Length::Leading(k, axes) => Some(shape(k)[..axes].iter().product()),
        Length::Value(k) => value(k, args),
        Length::Device => None,
    })
}

/// The value of a parameter of type `usize`.
fn value(k: usize, args: &[LaunchArg<'_>]) -> Option<usize> {
    match args[k].0 {
        // SAFETY: code generation says this of parameters of type `usize` only.
        ArgKind::Value(at, _) => Some(unsafe { at.cast::<usize>().read_unaligned() }),
        ArgKind::Field { .. } | ArgKind::Host(_) => None,
    }
}

/// The variant for fields of these shapes.
fn variant(args: &[LaunchArg<'_>]) -> Option<Variant> {
    let narrow = IndexWidth::Bits32;
    let fits = |shape: &[usize]| {
        let elements = shape.iter().try_fold(1_usize, |n, extent| n.checked_mul(*extent));
        elements.is_some_and(|n| narrow.holds(n)) && shape.iter().all(|n| narrow.holds(*n))
    };
    let all = args.iter().all(|arg| match arg.0 {
        ArgKind::Field { shape, .. } => fits(shape),
        ArgKind::Host(_) | ArgKind::Value(..) => true,
    });
    let (mut strided, mut planar) = (Params::default(), Params::default());
    for (k, arg) in args.iter().enumerate() {
        if arg.is_part() {
            strided = strided.with(k)?;
        }
        if arg.is_planar() {
            planar = planar.with(k)?;
        }
    }
    let index = if all { usual().index } else { IndexWidth::Bits64 };
    Some(Variant {
        index,
        strided,
        planar,
        copied: Params::default(),
        checked: false,
    })
}

/// The variant for fields that are not huge. `SWATHE_INDEX_BITS=64` makes it the one for those that are.
pub(super) fn usual() -> Variant {
    static WIDE: LazyLock<bool> = LazyLock::new(|| std::env::var_os("SWATHE_INDEX_BITS").is_some_and(|v| v == "64"));
    Variant {
        index: if *WIDE { IndexWidth::Bits64 } else { IndexWidth::Bits32 },
        ..Variant::default()
    }
}

/// What the arguments of an entry are made of.
struct Known<'a> {
    args: &'a [LaunchArg<'a>],
    partials: u32,
    errors: u64,
    cells: &'a Cells<'a>,
}

impl Known<'_> {
    /// Shows pointers to the arguments of an entry.
    fn with<R>(&self, entry: &LoadedEntry, launch: impl FnOnce(&mut [*mut c_void]) -> R) -> R {
        let n = entry.args.len();
        if n <= FEW {
            let mut words = [const { MaybeUninit::uninit() }; FEW];
            let mut pointers = [std::ptr::null_mut(); FEW];
            self.fill(entry, &mut words[..n], &mut pointers[..n]);
            return launch(&mut pointers[..n]);
        }
        let mut words = vec![MaybeUninit::uninit(); n];
        let mut pointers = vec![std::ptr::null_mut(); n];
        self.fill(entry, &mut words, &mut pointers);
        launch(&mut pointers)
    }

    fn fill(&self, entry: &LoadedEntry, words: &mut [MaybeUninit<u64>], pointers: &mut [*mut c_void]) {
        for ((given, word), pointer) in entry.args.iter().zip(words).zip(pointers) {
            let value = match *given {
                Given::Value(k) => {
                    if let ArgKind::Value(at, _) = self.args[k].0 {
                        *pointer = at.cast_mut().cast();
                    }
                    continue;
                }
                Given::Field(k) => match self.args[k].0 {
                    ArgKind::Field { at, .. } => at.addr() as u64,
                    ArgKind::Host(_) | ArgKind::Value(..) => 0,
                },
                Given::Extent(k, axis) => match self.args[k].0 {
                    ArgKind::Field { shape, .. } => shape[axis] as u64,
                    ArgKind::Host(_) | ArgKind::Value(..) => 0,
                },
                Given::Stride(k, axis) => match self.args[k].0 {
                    ArgKind::Field { part: Some(part), .. } => part.strides[axis] as u64,
                    ArgKind::Field { .. } | ArgKind::Host(_) | ArgKind::Value(..) => 0,
                },
                Given::Pitch(k) => match self.args[k].0 {
                    ArgKind::Field {
                        planes: Some(planes), ..
                    } => planes.pitch as u64,
                    ArgKind::Field { .. } | ArgKind::Host(_) | ArgKind::Value(..) => 0,
                },
                Given::Origin(k) => match self.args[k].0 {
                    ArgKind::Field {
                        planes: Some(planes), ..
                    } => planes.origin as u64,
                    ArgKind::Field { .. } | ArgKind::Host(_) | ArgKind::Value(..) => 0,
                },
                Given::Cells(k) => self.cells.of(k),
                Given::Start(k, axis) => match self.args[k].0 {
                    ArgKind::Field {
                        origin: Some(origin), ..
                    } => origin[axis] as u64,
                    ArgKind::Field { .. } | ArgKind::Host(_) | ArgKind::Value(..) => 0,
                },
                Given::Address(at) => at,
                // Little-endian, as all hosts with CUDA are: the first half is the `u32`.
                Given::PartialCount => u64::from(self.partials),
                Given::Errors => self.errors,
            };
            *pointer = std::ptr::from_mut(word.write(value)).cast();
        }
    }
}
