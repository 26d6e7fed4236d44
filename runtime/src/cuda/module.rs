//! A kernel that is loaded on a device.

use std::ffi::{CString, c_int};
use std::sync::{Mutex, MutexGuard};

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{CUfunction, CUfunction_attribute, CUmodule};
use swathe_ir::{Output, ParamKind, Type};

use super::device::{CudaDevice, lock};
use super::order::Access;
use super::records::{Axis, Current};
use crate::codegen::{
    Arg, BlockCopy, CellsLayout, CudaSource, Domain, Entry, EntryKind, Params, Site, SiteKind, Variant,
};
use crate::collision::{CollidingAccess, Collision};
use crate::error::{Error, FailedAccess, Result};
use crate::host::print;
use crate::kernel::Instance;
use crate::kernel::KernelInfo;
use crate::kernel::domain::ZERO_STEP;
use crate::kernel::shown::Printed;
use crate::kernel::{divide, shown};

/// A kernel on a device. It stays loaded until the program ends.
pub(super) struct Kernel {
    pub info: &'static KernelInfo,
    pub entries: Vec<LoadedEntry>,
    sites: Vec<Place>,
    /// Where each parameter's extents stand in a record of shapes: start and rank.
    extents: Vec<(usize, usize)>,
    /// What the kernel does with each parameter that is a field.
    pub access: Vec<Access>,
    /// Memory for the frame and, behind it, partial results; 0 if there is neither.
    pub scratch: u64,
    /// Bytes of the frame.
    pub frame: usize,
    /// Whether an entry can change fields in copies.
    pub can_copy: bool,
    pub fails: bool,
    pub prints: bool,
    /// Parameters whose values have to suit the width of positions.
    pub narrowed: Vec<usize>,
    /// Fields whose accesses are noted.
    pub cells: Vec<CellsLayout>,
    /// Held while a launch is queued: two launches share the frame, one after the other.
    state: Mutex<Vec<Current>>,
    /// Held while a thread waits for the one above: one that launches again and again comes behind it.
    next: Mutex<()>,
}

// SAFETY: the driver's handles may be used from every thread.
unsafe impl Send for Kernel {}
// SAFETY: as above; what changes is behind a mutex.
unsafe impl Sync for Kernel {}

/// A `__global__` function.
pub(super) struct LoadedEntry {
    pub function: CUfunction,
    pub kind: EntryKind,
    pub args: Vec<Given>,
    /// Threads of a block, at most.
    pub block: u32,
    /// Blocks that the device runs at once.
    pub resident: u32,
    /// Bytes of shared memory beside that of copies.
    fixed: usize,
    /// Whether its iterations are short and take equally long.
    even: bool,
    /// The fields that it can change in copies.
    copies: Vec<BlockCopy>,
    /// Those of them that it does change so.
    copied: Vec<BlockCopy>,
}

/// An argument, as far as it is known before a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Given {
    Field(usize),
    Extent(usize, usize),
    Stride(usize, usize),
    Pitch(usize),
    Origin(usize),
    Cells(usize),
    Start(usize, usize),
    Value(usize),
    Address(u64),
    PartialCount,
    Errors,
}

/// A place that can fail, with names that live as long as errors do.
struct Place {
    kind: SiteKind,
    field: &'static str,
    file: &'static str,
    line: u32,
    column: u32,
}

/// Memory is laid out in steps of so many bytes.
const STEP: usize = 256;

/// Copies of more bytes would leave a multiprocessor less blocks than it has room for.
const MOST_COPIES: usize = 16 << 10;
/// Each word of a copy is set and joined once in a block; so many iterations share that.
const COPY_WORTH: usize = 4;
/// Iterations of which the device alone knows the number.
pub(super) const UNKNOWN: usize = 1 << 20;

/// Bytes of all copies.
fn bytes_of<'a>(mut copies: impl Iterator<Item = &'a BlockCopy>, elements: &impl Fn(usize) -> usize) -> Option<usize> {
    copies.try_fold(0_usize, |all, copy| {
        let bytes = elements(copy.param).checked_mul(copy.bytes)?;
        all.checked_add(bytes.checked_next_multiple_of(BlockCopy::ALIGN)?)
    })
}

impl Kernel {
    /// Holds the kernel for a launch. Who waits comes next: a full queue of the driver blocks whoever holds it, and a thread that launches again and again
    /// would otherwise have it at once each time.
    pub fn hold(&self) -> MutexGuard<'_, Vec<Current>> {
        let _next = lock(&self.next);
        lock(&self.state)
    }

    /// Loads machine code.
    ///
    /// # Errors
    /// The driver's, by the name of the function that failed.
    pub fn load(
        device: &CudaDevice,
        info: &'static KernelInfo,
        instance: &Instance,
        source: &CudaSource,
        module: CUmodule,
    ) -> Result<Kernel> {
        let frame = source.frame.as_ref().map_or(0, |frame| frame.size);
        let start = frame.next_multiple_of(STEP);
        let bytes = start + source.entries.iter().map(partials).max().unwrap_or(0);
        let scratch = if bytes == 0 { 0 } else { device.alloc_bytes(bytes)? };
        let entries = source.entries.iter().map(|entry| {
            LoadedEntry::load(device, module, entry, source.variant, scratch, scratch + start as u64)
                .map_err(|(call, error)| device.failed(call, error))
        });
        let entries = entries.collect::<Result<_>>();
        if entries.is_err() && scratch != 0 {
            device.free_bytes(scratch);
        }
        Ok(Kernel {
            info,
            entries: entries?,
            sites: source.sites.iter().map(|site| Place::new(site, info)).collect(),
            extents: extents(instance),
            access: access(instance),
            scratch,
            frame,
            can_copy: source.entries.iter().any(|entry| !entry.copies.is_empty()),
            fails: source.entries.iter().any(|entry| entry.args.contains(&Arg::Errors)),
            prints: source
                .sites
                .iter()
                .any(|site| matches!(site.kind, SiteKind::Print { .. })),
            narrowed: source.narrowed.clone(),
            cells: source.cells.clone(),
            state: Mutex::default(),
            next: Mutex::default(),
        })
    }

    /// The error that a record tells of.
    pub fn failure(&self, site: u64, index: [u64; Entry::ERRORS_WORDS], count: u64, shapes: &[Axis]) -> Error {
        let KernelInfo { name, file, line, .. } = *self.info;
        let panicked = |file, line, message| Error::KernelPanic {
            kernel: name,
            file,
            line,
            message,
        };
        if let Some(collision) = self.collision(site, &index, shapes) {
            return Error::Collision(Box::new(collision));
        }
        let Some(place) = self.place(site) else {
            return panicked(
                file,
                line,
                format!("a failure at a place without a name, number {site}"),
            );
        };
        // Collisions are counted in steps that large.
        let count = if self.cells.is_empty() {
            count
        } else {
            count % SiteKind::COLLISION
        };
        let failed = |message| Error::KernelFailure {
            kernel: name,
            file: place.file,
            line: place.line,
            column: place.column,
            message,
            count: usize::try_from(count).unwrap_or(usize::MAX),
        };
        let axes = |rank: usize| -> Box<[usize]> {
            index[..rank.min(Entry::ERRORS_WORDS)]
                .iter()
                .map(|i| *i as usize)
                .collect()
        };
        match &place.kind {
            SiteKind::Field { param, .. } => {
                let (start, rank) = self.extents.get(*param).copied().unwrap_or_default();
                let at = FailedAccess {
                    kernel: name,
                    file: place.file,
                    line: place.line,
                    column: place.column,
                    field: place.field,
                    count: usize::try_from(count).unwrap_or(usize::MAX),
                };
                let of_field = shapes.get(start..start + rank).unwrap_or_default();
                let shape: Vec<usize> = of_field.iter().map(|axis| axis.extent).collect();
                let origin: Option<Vec<isize>> = of_field.iter().map(|axis| axis.origin).collect();
                Error::out_of_bounds(at, &axes(rank), &shape, origin.as_deref())
            }
            SiteKind::Array { shape } => {
                let index = axes(shape.len());
                let message = match (&shape[..], &index[..]) {
                    ([n], [i]) => format!("index out of bounds: the len is {n} but the index is {i}"),
                    _ => format!("index out of bounds: the shape is {shape:?} but the index is {index:?}"),
                };
                panicked(place.file, place.line, message)
            }
            SiteKind::Division { remainder, overflow } => failed(divide::message(*remainder, *overflow).to_owned()),
            SiteKind::Message { message, types } => failed(shown::message(message, &shown::arguments(types, &index))),
            SiteKind::Noted { .. } => panicked(place.file, place.line, "a collision without its partner".to_owned()),
            SiteKind::Print { .. } => panicked(place.file, place.line, "a text without a failure".to_owned()),
            SiteKind::ZeroStep => failed(ZERO_STEP.to_owned()),
            SiteKind::TooManyPositions { message, types } => {
                failed(shown::message(message, &shown::arguments(types, &index)))
            }
        }
    }
}

impl Kernel {
    /// How many words an entry of the ring has behind its first, which names a site, counted from 1.
    pub fn printed_words(&self, site: u64) -> Option<u64> {
        match &self.place(site.checked_sub(1)?)?.kind {
            SiteKind::Print { types, .. } => Some(types.iter().map(|ty| shown::numbers(ty).1 as u64).sum()),
            _ => None,
        }
    }

    /// The text of an entry, and where it goes.
    pub fn printed(&self, site: u64, words: &[u64]) -> Option<(Output, String)> {
        let place = self.place(site.checked_sub(1)?)?;
        let SiteKind::Print { output, message, types } = &place.kind else {
            return None;
        };
        let printed = Printed {
            output: *output,
            file: place.file,
            line: place.line,
            column: place.column,
            kernel: Some(self.info.name),
            template: message,
            args: &shown::arguments(types, words),
        };
        Some((*output, printed.text(print::located())))
    }

    fn place(&self, site: u64) -> Option<&Place> {
        self.sites.get(usize::try_from(site).ok()?)
    }

    /// The collision that a record tells of.
    fn collision(&self, site: u64, index: &[u64; Entry::ERRORS_WORDS], shapes: &[Axis]) -> Option<Collision> {
        let [other, element, iterations @ ..] = index;
        let accesses = [
            (site.checked_sub(SiteKind::COLLISION)?, iterations[0]),
            (*other, iterations[1]),
        ];
        let param = match &self.place(accesses[0].0)?.kind {
            SiteKind::Noted { param, .. } => *param,
            _ => return None,
        };
        let access = |(site, iteration): (u64, u64)| {
            let place = self.place(site)?;
            match &place.kind {
                SiteKind::Noted { kind, .. } => Some(CollidingAccess {
                    file: place.file,
                    line: place.line,
                    column: place.column,
                    kind: *kind,
                    iteration: usize::try_from(iteration).ok()?,
                }),
                _ => None,
            }
        };
        let (start, rank) = *self.extents.get(param)?;
        let mut rest = usize::try_from(*element).ok()?;
        let mut index: Box<[usize]> = shapes
            .get(start..start + rank)?
            .iter()
            .map(|axis| axis.extent)
            .collect();
        for k in index.iter_mut().rev() {
            (rest, *k) = (rest.checked_div(*k)?, rest % *k);
        }
        Some(Collision {
            kernel: self.info.name,
            field: self.place(accesses[0].0)?.field,
            index,
            first: access(accesses[0])?,
            second: access(accesses[1])?,
        })
    }
}

/// Bytes of an entry's partial results.
fn partials(entry: &Entry) -> usize {
    let sizes = entry.args.iter().map(|arg| match arg {
        Arg::Partials { size, .. } => (size * Entry::REDUCE_BLOCKS as usize).next_multiple_of(STEP),
        _ => 0,
    });
    sizes.sum()
}

fn extents(instance: &Instance) -> Vec<(usize, usize)> {
    let func = &instance.func;
    let mut start = 0;
    let ranks = func.params.iter().map(|param| {
        let slot = func.locals[param.local.0 as usize].ty;
        match instance.types.get(slot.0 as usize) {
            Some(Type::Field(_, rank)) => *rank,
            _ => 0,
        }
    });
    ranks
        .map(|rank| {
            start += rank;
            (start - rank, rank)
        })
        .collect()
}

fn access(instance: &Instance) -> Vec<Access> {
    let params = instance.func.params.iter().map(|param| match param.kind {
        ParamKind::Field { mutable: true } => Access::Write,
        _ => Access::Read,
    });
    params.collect()
}

impl LoadedEntry {
    fn load(
        device: &CudaDevice,
        module: CUmodule,
        entry: &Entry,
        variant: Variant,
        frame: u64,
        partials: u64,
    ) -> Result<LoadedEntry, (&'static str, DriverError)> {
        let name = CString::new(entry.name.as_str()).unwrap_or_default();
        // SAFETY: the module is alive.
        let function = unsafe { result::module::get_function(module, name) }.map_err(|e| ("cuModuleGetFunction", e))?;
        let most = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
        // SAFETY: the function is alive.
        let most = unsafe { result::function::get_function_attribute(function, most) }
            .map_err(|e| ("cuFuncGetAttribute", e))?;
        let most = u32::try_from(most).unwrap_or(0).clamp(1, Entry::REDUCE_BLOCK);
        let block = match entry.kind {
            EntryKind::Serial => 1,
            _ => 1 << most.ilog2(),
        };
        let threads = c_int::try_from(block).unwrap_or(1);
        // SAFETY: the function is alive.
        let blocks = unsafe { result::occupancy::max_active_block_per_multiprocessor(function, threads, 0) }
            .map_err(|e| ("cuOccupancyMaxActiveBlocksPerMultiprocessor", e))?;
        let fixed = CUfunction_attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES;
        // SAFETY: the function is alive.
        let fixed = unsafe { result::function::get_function_attribute(function, fixed) }
            .map_err(|e| ("cuFuncGetAttribute", e))?;
        let mut next = partials;
        let args = entry.args.iter().map(|arg| match *arg {
            Arg::Field(k) => Given::Field(k),
            Arg::Extent(k, axis) => Given::Extent(k, axis),
            Arg::Stride(k, axis) => Given::Stride(k, axis),
            Arg::Pitch(k) => Given::Pitch(k),
            Arg::Origin(k) => Given::Origin(k),
            Arg::Cells(k) => Given::Cells(k),
            Arg::Start(k, axis) => Given::Start(k, axis),
            Arg::Value(k) => Given::Value(k),
            Arg::Partials { size, .. } => {
                let at = next;
                next += (size * Entry::REDUCE_BLOCKS as usize).next_multiple_of(STEP) as u64;
                Given::Address(at)
            }
            Arg::PartialCount => Given::PartialCount,
            Arg::Frame => Given::Address(frame),
            Arg::Errors => Given::Errors,
        });
        Ok(LoadedEntry {
            function,
            kind: entry.kind,
            args: args.collect(),
            block,
            resident: u32::try_from(blocks).unwrap_or(1).max(1) * device.processors,
            fixed: usize::try_from(fixed).unwrap_or(usize::MAX),
            even: entry.even,
            copies: entry.copies.clone(),
            copied: {
                let copied = entry.copies.iter().filter(|copy| variant.copied.contains(copy.param));
                copied.copied().collect()
            },
        })
    }

    /// Adds the fields of which copies pay: all that this entry can change in copies, if these fit and are small beside the loop. `elements` tells
    /// how many a field has.
    pub fn add_worthwhile(
        &self,
        to: Params,
        iterations: [Option<usize>; 3],
        elements: impl Fn(usize) -> usize,
    ) -> Option<Params> {
        let bytes = bytes_of(self.copies.iter(), &elements)?;
        let total = iterations
            .iter()
            .try_fold(1_usize, |n, axis| n.checked_mul(axis.unwrap_or(UNKNOWN)))?;
        let blocks = total.div_ceil(self.block as usize).min(self.resident as usize);
        let pays = bytes > 0 && bytes <= MOST_COPIES && total / COPY_WORTH >= blocks * (bytes / 4);
        if !pays {
            return None;
        }
        self.copies.iter().try_fold(to, |params, copy| params.with(copy.param))
    }

    /// Whether there is shared memory for the copies of these fields.
    pub fn has_room_for(&self, params: Params, elements: impl Fn(usize) -> usize) -> bool {
        let copied = self.copies.iter().filter(|copy| params.contains(copy.param));
        let bytes = bytes_of(copied, &elements).and_then(|bytes| bytes.checked_add(self.fixed));
        bytes.is_some_and(|bytes| bytes <= Entry::SHARED_BYTES)
    }

    /// Bytes of dynamic shared memory.
    pub fn shared(&self, elements: impl Fn(usize) -> usize) -> u32 {
        let bytes = bytes_of(self.copied.iter(), &elements);
        bytes.and_then(|bytes| u32::try_from(bytes).ok()).unwrap_or(u32::MAX)
    }

    /// Blocks of a grid, at most. Where iterations differ, more than the device runs at once share them out. What a block sets up for
    /// itself should serve many iterations, and threads that stride from row to row find neighbours' rows in the caches.
    pub fn most_blocks(&self, iterations: [Option<usize>; 3]) -> u32 {
        let rows = iterations[1] != Some(1);
        match !self.copied.is_empty() || self.even && rows {
            true => self.resident,
            false => self.resident.saturating_mul(32),
        }
    }

    /// Whether it would do nothing.
    pub fn is_skipped(&self, iterations: [Option<usize>; 3]) -> bool {
        matches!(self.kind, EntryKind::Parallel(_)) && iterations.contains(&Some(0))
    }

    pub fn is_partial(&self) -> bool {
        matches!(self.kind, EntryKind::ReducePartial(_))
    }

    /// The iterations of its loop.
    pub fn domain(&self) -> Option<Domain> {
        match self.kind {
            EntryKind::Parallel(domain) | EntryKind::ReducePartial(domain) => Some(domain),
            EntryKind::Serial | EntryKind::ReduceFinish => None,
        }
    }
}

impl Place {
    fn new(site: &Site, info: &'static KernelInfo) -> Place {
        let leak = |text: &str| -> &'static str { Box::leak(text.to_owned().into_boxed_str()) };
        Place {
            field: match &site.kind {
                SiteKind::Field { name, .. } | SiteKind::Noted { name, .. } => leak(name),
                _ => "",
            },
            file: if site.file == info.file {
                info.file
            } else {
                leak(&site.file)
            },
            line: site.span.line,
            column: site.span.column,
            kind: site.kind.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codegen::Length;

    fn entry(even: bool, copies: &[BlockCopy], copied: &[BlockCopy]) -> LoadedEntry {
        LoadedEntry {
            function: std::ptr::null_mut(),
            kind: EntryKind::Parallel(Domain::line(Length::Device)),
            args: Vec::new(),
            block: 256,
            resident: 100,
            fixed: 1000,
            even,
            copies: copies.to_vec(),
            copied: copied.to_vec(),
        }
    }

    #[test]
    fn short_loops_over_rows_have_as_many_blocks_as_run_at_once() {
        let (line, rows) = ([Some(1 << 20), Some(1), Some(1)], [Some(1000), Some(3000), Some(1)]);
        let copy = [BlockCopy { param: 1, bytes: 4 }];
        let most = |entry: &LoadedEntry| [entry.most_blocks(line), entry.most_blocks(rows)];
        assert_eq!(most(&entry(true, &[], &[])), [3200, 100]);
        assert_eq!(most(&entry(false, &copy, &[])), [3200, 3200]);
        assert_eq!(most(&entry(false, &copy, &copy)), [100, 100]);
        assert_eq!(entry(true, &[], &[]).most_blocks([None, None, Some(1)]), 100);
    }

    #[test]
    fn copies_are_worthwhile_for_small_fields_beside_long_loops() {
        let copies = [BlockCopy { param: 1, bytes: 4 }, BlockCopy { param: 3, bytes: 12 }];
        let entry = entry(true, &copies, &[]);
        let pays = |n: Option<usize>, elements: usize| {
            let iterations = [n, Some(1), Some(1)];
            entry
                .add_worthwhile(Params::default(), iterations, |_| elements)
                .is_some()
        };
        // 16 bytes for each element of both, and 100 blocks.
        assert!(pays(Some(1 << 20), 256) && pays(Some(25_600 * 16), 256));
        assert!(!pays(Some(25_600 * 16 - 1), 256) && !pays(Some(1000), 256));
        assert!(pays(Some(1 << 30), 1024) && !pays(Some(1 << 30), 1025));
        assert!(pays(None, 256) && !pays(None, 1 << 62) && !pays(Some(1 << 20), 0));
        let both = entry.add_worthwhile(Params::default(), [None, None, None], |_| 1);
        assert!(both.is_some_and(|both| both.contains(1) && both.contains(3) && !both.contains(0)));
    }
}
