//! What failed in kernels, on its way to the host.
//!
//! A kernel counts failed checks in a record, and notes the least. Records lie in the host's memory, so that looking
//! costs nothing; all launches of a kernel with the same shapes share one, so that nothing is set up for a launch. A launch with
//! a result waits for its end and has its record for itself: a call of another thread does not take the failure from it.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use super::device::{CudaDevice, lock};
use super::module::Kernel;
use super::pinned::Pinned;
use crate::codegen::Entry;
use crate::device::argument::{ArgKind, LaunchArg};
use crate::device::quiet::is_quiet;
use crate::error::Result;

/// Bytes from one record to the next.
const STRIDE: usize = Entry::ERRORS_SIZE.next_multiple_of(128);
/// Words of a record that tell a failure.
const FAILURE_WORDS: usize = 3 + Entry::ERRORS_WORDS;
/// Records allocated at once.
const SLAB: usize = 128;
/// A kernel that is launched with ever new shapes gives its records back after so many.
const SHAPES: usize = 64;

/// All records of a device.
#[derive(Default)]
pub(super) struct Records {
    slabs: Vec<Pinned>,
    used: Vec<Option<Record>>,
    next: u64,
}

/// A record in use.
struct Record {
    kernel: &'static Kernel,
    shapes: Box<[Axis]>,
    /// Ascending in the order of first use.
    since: u64,
    /// Number of graphs that launch with it.
    graphs: usize,
    /// Whether a launch that waits for its end has it for itself: what failed is that call's to report.
    own: bool,
}

/// One axis of a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Axis {
    pub extent: usize,
    /// Of an offset field.
    pub origin: Option<isize>,
}

/// A record that a kernel uses for fields of these shapes.
pub(super) struct Current {
    shapes: Box<[Axis]>,
    pub id: usize,
    pub address: u64,
}

impl Records {
    fn at(&self, id: usize) -> Pinned {
        self.slabs[id / SLAB].part(id % SLAB * STRIDE)
    }

    /// # Safety
    /// The record is one of a slab.
    unsafe fn word(record: Pinned, k: usize) -> &'static AtomicU64 {
        let word: NonNull<AtomicU64> = record.host.cast();
        // SAFETY: a record has as many words as `ERRORS_SIZE` says and is never freed; the device too writes whole words.
        unsafe { word.add(k).as_ref() }
    }

    fn count(&self, id: usize) -> u64 {
        // SAFETY: `at` gives a record of a slab.
        unsafe { Records::word(self.at(id), 0) }.load(Ordering::Acquire)
    }

    /// The record that failed and was used first, of those that no launch has for itself and of the caller's own.
    fn failed(&self, own: Option<usize>) -> Option<usize> {
        let used = self.used.iter().enumerate();
        let used = used.filter_map(|(id, record)| Some((id, record.as_ref()?)));
        let told = used.filter(|(id, record)| (!record.own || own == Some(*id)) && self.count(*id) > 0);
        told.map(|(id, record)| (record.since, id)).min().map(|(_, id)| id)
    }

    fn is_own(&self, id: usize) -> bool {
        self.used[id].as_ref().is_some_and(|record| record.own)
    }

    /// What a record holds, which is then empty.
    fn take(&self, id: usize) -> [u64; FAILURE_WORDS] {
        let place = self.at(id);
        std::array::from_fn(|k| {
            // SAFETY: `at` gives a record of a slab.
            unsafe { Records::word(place, k) }.swap(0, Ordering::AcqRel)
        })
    }

    pub fn hold(&mut self, id: usize) {
        if let Some(Some(record)) = self.used.get_mut(id) {
            record.graphs += 1;
        }
    }

    pub fn release(&mut self, id: usize) {
        if let Some(Some(record)) = self.used.get_mut(id) {
            record.graphs -= 1;
        }
    }
}

/// A record that one launch has for itself, until this is dropped.
pub(super) struct OwnRecord<'a> {
    device: &'a CudaDevice,
    id: usize,
}

impl Drop for OwnRecord<'_> {
    fn drop(&mut self) {
        if let Some(Some(record)) = lock(&self.device.records).used.get_mut(self.id) {
            record.own = false;
        }
    }
}

impl CudaDevice {
    /// Gives a record to one launch alone. The state of its kernel is locked.
    pub(super) fn own_record(&self, id: usize) -> OwnRecord<'_> {
        if let Some(Some(record)) = lock(&self.records).used.get_mut(id) {
            record.own = true;
        }
        OwnRecord { device: self, id }
    }

    /// The kernel's record for arguments of these shapes, or with `free` one that no launch has for itself; its context is current.
    pub(super) fn record<'a>(
        &self,
        kernel: &'static Kernel,
        current: &'a mut Vec<Current>,
        args: &[LaunchArg<'_>],
        free: bool,
    ) -> Result<&'a Current> {
        let same = |c: &Current| axes(args).eq(c.shapes.iter().copied());
        let is_free = |c: &Current| !free || !lock(&self.records).is_own(c.id);
        if let Some(k) = current.iter().position(|c| same(c) && is_free(c)) {
            current.swap(0, k);
            return Ok(&current[0]);
        }
        if current.len() >= SHAPES {
            // No graph is launched, and dropped, between the wait and what follows.
            let _alone = self.alone();
            self.wait()?;
            let mut records = lock(&self.records);
            current.retain(|c| {
                let held = records.used[c.id].as_ref().is_some_and(|r| r.graphs > 0 || r.own);
                let keep = held || records.count(c.id) > 0;
                if !keep {
                    records.used[c.id] = None;
                }
                keep
            });
        }
        let shapes: Box<[Axis]> = axes(args).collect();
        let printer = match kernel.prints {
            true => self.printer(kernel)?,
            false => [0; 2],
        };
        let mut records = lock(&self.records);
        let id = match records.used.iter().position(Option::is_none) {
            Some(id) => id,
            None => {
                let bytes = SLAB * STRIDE;
                let slab =
                    Pinned::alloc(bytes).map_err(|error| self.allocation_failed("cuMemHostAlloc", bytes, error))?;
                records.slabs.push(slab);
                let id = records.used.len();
                records.used.resize_with(id + SLAB, || None);
                id
            }
        };
        let since = records.next;
        records.next += 1;
        let place = records.at(id);
        for (k, word) in Entry::PRINTS.into_iter().zip(printer) {
            // SAFETY: `at` gives a record of a slab.
            unsafe { Records::word(place, k) }.store(word, Ordering::Release);
        }
        let address = place.device;
        records.used[id] = Some(Record {
            kernel,
            shapes: shapes.clone(),
            since,
            graphs: 0,
            own: false,
        });
        current.insert(0, Current { shapes, id, address });
        Ok(&current[0])
    }

    /// Writes what was printed, and reports what failed first, after a wait for the work that is asked about. Another failure is reported by
    /// the next call.
    pub(super) fn report(&self) -> Result<()> {
        if is_quiet() || self.tells_later() {
            return Ok(());
        }
        self.report_with(None)
    }

    /// The same for a launch that may have a record of its own: if it failed, this is an error.
    pub(super) fn report_with(&self, own: Option<OwnRecord<'_>>) -> Result<()> {
        // Given back when this returns.
        let own = own.as_ref().map(|own| own.id);
        self.print()?;
        if lock(&self.records).failed(own).is_none() {
            return Ok(());
        }
        // Another thread's kernel may be about to write its record: with nothing running, and nothing launched meanwhile, all records are whole.
        let _alone = self.alone();
        self.wait()?;
        let records = lock(&self.records);
        let Some(id) = records.failed(own) else { return Ok(()) };
        let Some(record) = &records.used[id] else { return Ok(()) };
        // A call tells one failure: its own is not told again by another.
        if let Some(own) = own.filter(|own| *own != id) {
            records.take(own);
        }
        let [count, site, index @ .., _version] = records.take(id);
        Err(record.kernel.failure(site, index, count, &record.shapes))
    }
}

/// All axes of all fields.
fn axes<'a>(args: &'a [LaunchArg<'_>]) -> impl Iterator<Item = Axis> + 'a {
    args.iter().flat_map(|arg| {
        let (shape, origin) = match arg.0 {
            ArgKind::Field { shape, origin, .. } => (shape, origin),
            ArgKind::Host(_) | ArgKind::Value(..) => (&[][..], None),
        };
        shape.iter().enumerate().map(move |(k, extent)| Axis {
            extent: *extent,
            origin: origin.map(|origin| origin[k]),
        })
    })
}
