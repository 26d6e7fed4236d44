//! What failed in kernels, on its way to the host.
//!
//! A kernel counts failed checks in a record, and notes the least. Records lie in the host's memory, so that looking
//! costs nothing; all launches of a kernel with the same shapes share one, so that nothing is set up for a launch.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use super::device::{CudaDevice, lock};
use super::module::Kernel;
use super::pinned::Pinned;
use crate::argument::{ArgKind, LaunchArg};
use crate::codegen::Entry;
use crate::error::Result;

/// Bytes from one record to the next.
const STRIDE: usize = Entry::ERRORS_SIZE.next_multiple_of(128);
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
    shapes: Box<[usize]>,
    /// Ascending in the order of first use.
    since: u64,
    /// Number of graphs that launch with it.
    graphs: usize,
}

/// A record that a kernel uses for fields of these shapes.
pub(super) struct Current {
    shapes: Box<[usize]>,
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

    /// The record in use that failed and was used first.
    fn failed(&self) -> Option<usize> {
        let used = self.used.iter().enumerate();
        let failed = used.filter_map(|(id, record)| Some((record.as_ref()?.since, id)));
        failed.filter(|(_, id)| self.count(*id) > 0).min().map(|(_, id)| id)
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

impl CudaDevice {
    /// The kernel's record for arguments of these shapes; its context is current.
    pub(super) fn record<'a>(
        &self,
        kernel: &'static Kernel,
        current: &'a mut Vec<Current>,
        args: &[LaunchArg<'_>],
    ) -> Result<&'a Current> {
        if let Some(k) = current.iter().position(|c| extents(args).eq(c.shapes.iter().copied())) {
            current.swap(0, k);
            return Ok(&current[0]);
        }
        if current.len() >= SHAPES {
            self.wait()?;
            let mut records = lock(&self.records);
            current.retain(|c| {
                let held = records.used[c.id].as_ref().is_some_and(|record| record.graphs > 0);
                let keep = held || records.count(c.id) > 0;
                if !keep {
                    records.used[c.id] = None;
                }
                keep
            });
        }
        let shapes: Box<[usize]> = extents(args).collect();
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
        let address = records.at(id).device;
        records.used[id] = Some(Record {
            kernel,
            shapes: shapes.clone(),
            since,
            graphs: 0,
        });
        current.insert(0, Current { shapes, id, address });
        Ok(&current[0])
    }

    /// Reports what failed first, after a wait for the work that is asked about. Another failure is reported by
    /// the next call.
    pub(super) fn report(&self) -> Result<()> {
        if lock(&self.records).failed().is_none() {
            return Ok(());
        }
        // Another thread's kernel may be about to write its record: with nothing running all records are whole.
        self.wait()?;
        let records = lock(&self.records);
        let Some(id) = records.failed() else { return Ok(()) };
        let Some(record) = &records.used[id] else { return Ok(()) };
        let place = records.at(id);
        let [count, site, index @ .., _version]: [u64; Entry::ERRORS_SIZE / 8] = std::array::from_fn(|k| {
            // SAFETY: `at` gives a record of a slab.
            unsafe { Records::word(place, k) }.swap(0, Ordering::AcqRel)
        });
        Err(record.kernel.failure(site, index, count, &record.shapes))
    }
}

/// The extents of all fields.
fn extents<'a>(args: &'a [LaunchArg<'_>]) -> impl Iterator<Item = usize> + 'a {
    args.iter().flat_map(|arg| match arg.0 {
        ArgKind::Field { shape, .. } => shape.iter().copied(),
        ArgKind::Host(_) | ArgKind::Value(..) => [].iter().copied(),
    })
}
