//! Kernels onto the stream.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::num::NonZero;
use std::ptr::NonNull;

use cudarc::driver::result;
use cudarc::driver::sys;

use super::device::{CudaDevice, lock};
use super::graph;
use super::module::{Given, Kernel, LoadedEntry};
use super::pinned::SLOT;
use super::records::Current;
use crate::argument::{ArgKind, LaunchArg};
use crate::codegen::DomainSize;
use crate::device::KernelRef;
use crate::error::Result;

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
        let kernel = self.kernel(kernel, "first launch")?;
        self.bind()?;
        self.note(kernel.info);
        // Until all is on the stream: another launch of this kernel would write to the same frame.
        let mut state = lock(&kernel.state);
        // SAFETY: by the caller's word.
        unsafe { self.enqueue(kernel, &mut state, args)? };
        let Some((result, bytes)) = result else { return Ok(()) };
        let Some(frame) = usize::try_from(kernel.scratch).ok().and_then(NonZero::new) else {
            return Ok(());
        };
        let frame = NonNull::<u8>::without_provenance(frame);
        if bytes > SLOT {
            // SAFETY: by the caller's word there is room; the frame starts with the result.
            unsafe { self.download_staged(result.as_ptr(), frame, bytes)? };
            drop(state);
        } else {
            self.with_slot(|slot| {
                let at = slot.host.as_ptr();
                // SAFETY: by the caller's word, and the slot is large enough; the copy is done after the wait.
                unsafe {
                    sys::cuMemcpyDtoHAsync_v2(at.cast(), kernel.scratch, bytes, self.main_stream())
                        .result()
                        .map_err(|error| self.failed("cuMemcpyDtoHAsync", error))?;
                    drop(state);
                    self.wait()?;
                    std::ptr::copy_nonoverlapping(at, result.as_ptr(), bytes);
                }
                Ok(())
            })?;
        }
        self.report()
    }

    /// Puts all entries of a kernel onto the stream.
    ///
    /// # Safety
    /// As for `launch_kernel`; the context is current.
    unsafe fn enqueue(&self, kernel: &'static Kernel, state: &mut Vec<Current>, args: &[LaunchArg<'_>]) -> Result<()> {
        let errors = if kernel.fails {
            let record = self.record(kernel, state, args)?;
            self.hold_record(record.id);
            record.address
        } else {
            0
        };
        self.hold_fields(args);
        if kernel.frame > 0 {
            // SAFETY: the scratch memory starts with the frame.
            unsafe { self.set_bytes(kernel.scratch, 0, kernel.frame)? };
        }
        let mut partials = 0;
        for entry in &kernel.entries {
            let iterations = entry.domain().map(|size| iterations(size, args));
            if entry.is_skipped(iterations.flatten()) {
                continue;
            }
            let (blocks, threads) = entry.geometry(iterations.flatten(), self.processors);
            if entry.is_partial() {
                partials = blocks;
            }
            let known = Known { args, partials, errors };
            // SAFETY: by the caller's word; the driver copies the arguments before it returns.
            unsafe {
                known.with(entry, |pointers| {
                    let (grid, block) = ((blocks, 1, 1), (threads, 1, 1));
                    result::launch_kernel(entry.function, grid, block, 0, self.stream(), pointers)
                })
            }
            .map_err(|error| self.failed("cuLaunchKernel", error))?;
        }
        Ok(())
    }
}

/// Iterations of a loop, if the host knows them.
fn iterations(size: DomainSize, args: &[LaunchArg<'_>]) -> Option<usize> {
    match size {
        DomainSize::Elements(k) => match args[k].0 {
            ArgKind::Field { shape, .. } => Some(shape.iter().product()),
            ArgKind::Host(_) | ArgKind::Value(..) => None,
        },
        DomainSize::Value(k) => match args[k].0 {
            // SAFETY: code generation says this of parameters of type `usize` only.
            ArgKind::Value(at, _) => Some(unsafe { at.cast::<usize>().read_unaligned() }),
            ArgKind::Field { .. } | ArgKind::Host(_) => None,
        },
        DomainSize::Device => None,
    }
}

/// What the arguments of an entry are made of.
struct Known<'a> {
    args: &'a [LaunchArg<'a>],
    partials: u32,
    errors: u64,
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
                Given::Address(at) => at,
                // Little-endian, as all hosts with CUDA are: the first half is the `u32`.
                Given::PartialCount => u64::from(self.partials),
                Given::Errors => self.errors,
            };
            *pointer = std::ptr::from_mut(word.write(value)).cast();
        }
    }
}
