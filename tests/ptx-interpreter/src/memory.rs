//! Memory that a thread may access.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::error::{Cause, Error};
use crate::instruction::{Access, Modify, Path, Space};
use crate::local::Local;
use crate::module::Module;
use crate::operand::Type;
use crate::race::Who;
use crate::regions::{Regions, Verdict};
use crate::shared::Shared;
use crate::trace::Trace;

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Intent {
    Read,
    Write,
    Atomic,
}

/// Of one block after the other.
pub(crate) struct Memory<'a> {
    regions: &'a Regions,
    /// Variables of the module.
    globals: Regions,
    pub shared: Shared,
    pub local: Local,
    /// Is something read as constant?
    constants: bool,
    trace: Trace,
    /// Chooses among the results of approximations.
    pub disturb: Option<u64>,
    /// Are races refused?
    races: bool,
    /// The block that runs.
    block: u64,
    watched: Option<(Range<u64>, Accesses)>,
}

/// How often threads accessed memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accesses {
    /// Loads.
    pub reads: u64,
    /// Stores.
    pub writes: u64,
    /// Atomic operations.
    pub atomics: u64,
}

impl<'a> Memory<'a> {
    pub fn new(module: &Module, regions: &'a Regions, shared: usize, threads: usize) -> Memory<'a> {
        Memory {
            regions,
            globals: module.globals.iter().map(|global| global.region()).collect(),
            shared: Shared::new(shared),
            local: Local::new(module.local, threads),
            constants: module.reads_constants(),
            trace: Trace::default(),
            disturb: None,
            races: true,
            block: 0,
            watched: None,
        }
    }

    pub fn watch(&mut self, addresses: Range<u64>) {
        self.watched = Some((addresses, Accesses::default()));
    }

    pub fn watched(&self) -> Accesses {
        self.watched
            .as_ref()
            .map_or_else(Accesses::default, |watched| watched.1)
    }

    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    pub fn allow_races(&mut self) {
        self.races = false;
    }

    /// A thread orders its accesses.
    pub fn fence(&mut self, thread: u32) {
        self.trace.races.fence(self.block, thread);
    }

    /// A block starts.
    pub fn start(&mut self, block: u64) {
        self.block = block;
        self.shared.start();
        self.local.start();
    }

    /// A place where a thread may read or write `count` values: those that it stores, the first one lowest.
    pub fn place(
        &mut self,
        access: Access,
        address: u64,
        count: usize,
        (intent, stored): (Intent, u128),
        thread: u32,
    ) -> Result<Place, Error> {
        let ty = access.ty;
        let size = (count * ty.bytes()) as u64;
        let refuse = |cause| Err(refusal(cause, size, intent, thread));
        if !address.is_multiple_of(size) {
            return refuse(Cause::Misaligned(address));
        }
        let (shared, local) = match access.space {
            Space::Generic => (
                self.shared.offset(address, size),
                self.local.offset(thread, address, size),
            ),
            Space::Shared => (self.shared.inside(address, size), None),
            Space::Local => (None, self.local.inside(address, size)),
            Space::Global | Space::Constant => (None, None),
        };
        let at = match (shared, local) {
            (Some(offset), _) => {
                self.shared.note(offset, size as usize, intent, thread as u16)?;
                self.shared.address() + offset as u64
            }
            (_, Some(offset)) => {
                self.local.note(thread, offset, size as usize, intent)?;
                self.local.address(thread) + offset as u64
            }
            _ => {
                let write = intent != Intent::Read;
                let of_module = || self.globals.access(address, size, intent);
                let verdict = match access.space {
                    Space::Generic | Space::Global => match self.regions.access(address, size, intent) {
                        Verdict::Refused => of_module(),
                        verdict => verdict,
                    },
                    Space::Constant => of_module(),
                    Space::Shared | Space::Local => Verdict::Refused,
                };
                match verdict {
                    Verdict::Allowed => {}
                    Verdict::Refused => return refuse(Cause::Outside(address)),
                    Verdict::Unwritten => return Err(unwritten(address, size, thread)),
                }
                if let Some((watched, count)) = &mut self.watched
                    && watched.contains(&address)
                {
                    match intent {
                        Intent::Read => count.reads += 1,
                        Intent::Write => count.writes += 1,
                        Intent::Atomic => count.atomics += 1,
                    }
                }
                if self.constants && (access.path == Path::Constant || write) {
                    self.trace.note(address, size, write)?;
                }
                if self.races && access.space != Space::Constant {
                    let who = Who {
                        block: self.block,
                        thread,
                        epoch: self.shared.epoch(),
                        strong: intent == Intent::Atomic || access.path == Path::Volatile,
                    };
                    self.trace.races.note(address, size, intent, stored, who)?;
                }
                address
            }
        };
        Ok(Place {
            at: std::ptr::with_exposed_provenance_mut(at as usize),
            ty,
        })
    }
}

#[cold]
fn refusal(cause: Cause, size: u64, intent: Intent, thread: u32) -> Error {
    let verb = if intent == Intent::Read { "reads" } else { "writes" };
    let (address, why) = match cause {
        Cause::Misaligned(address) => (address, "is not aligned"),
        Cause::Outside(address) => (address, "it must not"),
        Cause::Other => (0, "is wrong"),
    };
    let text = format!("thread {thread} {verb} {size} bytes at {address:#x}, which {why}");
    Error { cause, text }
}

#[cold]
fn unwritten(address: u64, size: u64, thread: u32) -> Error {
    Error::from(format!(
        "thread {thread} reads {size} bytes at {address:#x}, of which some are not written"
    ))
}

/// Where values lie. Blocks may run at the same time, so that every access is atomic.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    at: *mut u8,
    ty: Type,
}

impl Place {
    fn part(self, k: usize) -> *mut u8 {
        self.at.wrapping_add(k * self.ty.bytes())
    }

    /// Reads the k-th value.
    ///
    /// # Safety
    /// The regions are there, and the place has so many values.
    pub unsafe fn load(self, k: usize) -> u64 {
        let at = self.part(k);
        // SAFETY: [`Memory::place`] has checked place and alignment.
        let value = unsafe {
            match self.ty.bits {
                8 => u64::from(AtomicU8::from_ptr(at).load(Relaxed)),
                16 => u64::from(AtomicU16::from_ptr(at.cast()).load(Relaxed)),
                32 => u64::from(AtomicU32::from_ptr(at.cast()).load(Relaxed)),
                _ => AtomicU64::from_ptr(at.cast()).load(Relaxed),
            }
        };
        self.ty.extend(value)
    }

    /// Writes the k-th value.
    ///
    /// # Safety
    /// As for [`load`](Place::load).
    pub unsafe fn store(self, k: usize, value: u64) {
        let at = self.part(k);
        // SAFETY: as above; the place may be written.
        unsafe {
            match self.ty.bits {
                8 => AtomicU8::from_ptr(at).store(value as u8, Relaxed),
                16 => AtomicU16::from_ptr(at.cast()).store(value as u16, Relaxed),
                32 => AtomicU32::from_ptr(at.cast()).store(value as u32, Relaxed),
                _ => AtomicU64::from_ptr(at.cast()).store(value, Relaxed),
            }
        }
    }

    /// Replaces the value by what is made of it, in one step, and returns what was there.
    ///
    /// # Safety
    /// As for [`load`](Place::load).
    pub unsafe fn modify(self, modify: Modify, b: u64, c: u64) -> u64 {
        let (b, c) = (self.ty.mask(b), self.ty.mask(c));
        macro_rules! update {
            ($atomic:ident, $ty:ident) => {{
                // SAFETY: as above.
                let cell = unsafe { $atomic::from_ptr(self.at.cast()) };
                let change = |old: $ty| modify(u64::from(old), b, c) as $ty;
                let old = cell.fetch_update(Relaxed, Relaxed, |old| Some(change(old)));
                u64::from(old.unwrap_or_else(|old| old))
            }};
        }
        match self.ty.bits {
            8 => update!(AtomicU8, u8),
            16 => update!(AtomicU16, u16),
            32 => update!(AtomicU32, u32),
            _ => update!(AtomicU64, u64),
        }
    }
}
