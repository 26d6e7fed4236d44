//! What failed in kernels, on its way to the host.
//!
//! A kernel counts failed checks in a record, and notes the least. Records lie in the device's memory, where many threads
//! can fail at once; a word of each lies in the host's, so that looking costs nothing. All launches of a kernel with the same shapes share one, so that nothing is set up for a launch. A launch with
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
/// Records of a slab.
const SLAB: usize = 128;
/// A kernel that is launched with ever new shapes gives its records back after so many.
const SHAPES: usize = 64;

/// All records of a device.
#[derive(Default)]
pub(super) struct Records {
    slabs: Vec<Slab>,
    used: Vec<Option<Record>>,
    next: u64,
}

/// Records allocated at once.
struct Slab {
    /// Where they lie on the device.
    at: u64,
    /// A word for each, which is not 0 if its kernel has failed.
    told: Pinned,
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
    /// What it held when the driver failed to clear it: the next call tells it.
    kept: Option<[u64; FAILURE_WORDS]>,
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

impl Slab {
    /// The context is current.
    fn new(device: &CudaDevice) -> Result<Slab> {
        let bytes = 8 * SLAB;
        let told = Pinned::alloc(bytes).map_err(|error| device.allocation_failed("cuMemHostAlloc", bytes, error))?;
        let mut words = vec![0; SLAB * STRIDE / 8];
        for (k, record) in words.chunks_mut(STRIDE / 8).enumerate() {
            record[Entry::TOLD] = told.part(8 * k).device;
        }
        let at = device.new_words(&words).inspect_err(|_| {
            // SAFETY: nobody else knows of it.
            unsafe { told.free() };
        })?;
        Ok(Slab { at, told })
    }
}

impl Records {
    /// Where a record lies on the device.
    fn at(&self, id: usize) -> u64 {
        self.slabs[id / SLAB].at + (id % SLAB * STRIDE) as u64
    }

    /// What says that it failed.
    fn told(&self, id: usize) -> &AtomicU64 {
        let words: NonNull<AtomicU64> = self.slabs[id / SLAB].told.host.cast();
        // SAFETY: there is one for each record of the slab, which is never freed; the device too writes whole words.
        unsafe { words.add(id % SLAB).as_ref() }
    }

    fn has_failed(&self, id: usize) -> bool {
        self.told(id).load(Ordering::Acquire) != 0
    }

    /// The record that failed and was used first, of those that no launch has for itself and of the caller's own.
    fn failed(&self, own: Option<usize>) -> Option<usize> {
        let used = self.used.iter().enumerate();
        let used = used.filter_map(|(id, record)| Some((id, record.as_ref()?)));
        let told = used.filter(|(id, record)| (!record.own || own == Some(*id)) && self.has_failed(*id));
        told.map(|(id, record)| (record.since, id)).min().map(|(_, id)| id)
    }

    fn is_own(&self, id: usize) -> bool {
        self.used[id].as_ref().is_some_and(|record| record.own)
    }

    /// What a record holds, which is then empty. Nothing runs, and the context is current.
    fn take(&mut self, device: &CudaDevice, id: usize) -> Result<[u64; FAILURE_WORDS]> {
        let at = self.at(id);
        let kept = self.used[id].as_mut().and_then(|record| record.kept.take());
        let words = match kept {
            Some(kept) => kept,
            // SAFETY: `at` gives a record of a slab, and nothing runs.
            None => unsafe { device.read_words(at)? },
        };
        // SAFETY: as above.
        if let Err(error) = unsafe { device.write_words(at, &[0; FAILURE_WORDS]) } {
            if let Some(record) = &mut self.used[id] {
                record.kept = Some(words);
            }
            return Err(error);
        }
        self.told(id).store(0, Ordering::Release);
        Ok(words)
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
                let keep = held || records.has_failed(c.id);
                if !keep {
                    records.used[c.id] = None;
                }
                keep
            });
        }
        let shapes: Box<[Axis]> = axes(args).collect();
        let printer = kernel.prints.then(|| self.printer(kernel)).transpose()?;
        let mut records = lock(&self.records);
        let id = match records.used.iter().position(Option::is_none) {
            Some(id) => id,
            None => {
                records.slabs.push(Slab::new(self)?);
                let id = records.used.len();
                records.used.resize_with(id + SLAB, || None);
                id
            }
        };
        let since = records.next;
        records.next += 1;
        let address = records.at(id);
        if let Some(printer) = printer {
            let [first, _] = Entry::PRINTS;
            // SAFETY: `at` gives a record of a slab, which nothing uses yet.
            unsafe { self.write_words(address + 8 * first as u64, &printer)? };
        }
        records.used[id] = Some(Record {
            kernel,
            shapes: shapes.clone(),
            since,
            graphs: 0,
            own: false,
            kept: None,
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
        let mut records = lock(&self.records);
        while let Some(id) = records.failed(own) {
            // A call tells one failure: its own is not told again by another.
            if let Some(own) = own.filter(|own| *own != id && records.has_failed(*own)) {
                records.take(self, own)?;
            }
            let [count, site, index @ .., _version] = records.take(self, id)?;
            // Else it was taken by a call that failed at the end of that.
            if let (Some(record), true) = (&records.used[id], count > 0) {
                return Err(record.kernel.failure(site, index, count, &record.shapes));
            }
        }
        Ok(())
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
