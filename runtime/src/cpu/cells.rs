//! What iterations of a parallel loop have done with the elements of a field, noted to find out whether two of them collide.
//!
//! A loop that is verified runs on one thread: which iterations meet does not depend on when they run, and without threads nothing
//! races meanwhile.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use crate::access::layout::Layout;
use crate::access::pointer::Pointer;
use crate::access::{Access, Position};
use crate::collision::AccessKind;
use crate::collision::met::Noted;
use crate::collision::places;
use crate::element::Element;
use crate::error::{Error, Result};
use crate::host::failure::Parts;
use crate::kernel::failures::Failures;
use crate::versions::{Begins, Target, Version};

/// Bits of an entry that hold the number of the access; those above hold the iteration's number plus 1.
const SITE_BITS: u32 = 20;

/// The cells of a field: one for each place of each element. A cell has slots ([`AccessKind::slots`]), of which each holds an iteration and its
/// access, or 0.
pub struct Cells<const D: usize> {
    shape: [usize; D],
    /// Where the places of an element start, in bytes.
    starts: Vec<usize>,
    slots: usize,
    entries: RefCell<Vec<u64>>,
    used: Cell<bool>,
}

impl<const D: usize> Cells<D> {
    /// Cells for a field that the kernel accesses, atomically too or not.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn new<T: Element, L: Layout>(field: Access<'_, T, D, L>, atomic: bool) -> Result<Self> {
        let starts = places::starts(&T::ty());
        let slots = if atomic {
            AccessKind::SLOTS
        } else {
            AccessKind::PLAIN_SLOTS
        };
        let count = field.len().saturating_mul(starts.len()).saturating_mul(slots);
        let mut entries = Vec::new();
        entries.try_reserve_exact(count).map_err(|_| Error::OutOfMemory {
            bytes: count.saturating_mul(size_of::<u64>()),
            place: "the host, to verify `unsafe` blocks".to_owned(),
        })?;
        entries.resize(count, 0);
        Ok(Cells {
            shape: field.shape(),
            starts,
            slots,
            entries: RefCell::new(entries),
            used: Cell::new(false),
        })
    }

    /// Forgets what was noted.
    pub fn clear(&self) {
        if self.used.replace(false) {
            self.entries.borrow_mut().fill(0);
        }
    }

    /// A pointer to the element at `index`, which is inside the shape, that notes what is done with it.
    pub fn noted<'a, P: Pointer>(
        &'a self,
        pointer: P,
        failures: &'a Failures,
        site: u32,
        index: impl Position<D>,
        iteration: usize,
    ) -> NotedPointer<'a, P, D> {
        NotedPointer {
            pointer,
            cells: self,
            failures,
            site,
            index: index.axes(),
            iteration,
        }
    }
}

/// An element of a field with cells.
pub struct NotedPointer<'a, P, const D: usize> {
    pointer: P,
    cells: &'a Cells<D>,
    failures: &'a Failures,
    site: u32,
    index: [usize; D],
    iteration: usize,
}

impl<P: Pointer, const D: usize> Clone for NotedPointer<'_, P, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Pointer, const D: usize> Copy for NotedPointer<'_, P, D> {}

impl<P: Pointer, const D: usize> NotedPointer<'_, P, D> {
    /// The pointer as it is.
    #[must_use]
    pub fn unnoted(self) -> P {
        self.pointer
    }

    /// The pointer for an atomic operation.
    #[must_use]
    pub fn atomic(self, changes: bool) -> P {
        self.note(atomic(changes), 0..size_of::<P::Target>());
        self.pointer
    }

    /// The pointer for an atomic operation on a place in the element.
    ///
    /// # Safety
    /// As [`Pointer::part`].
    #[must_use]
    pub unsafe fn atomic_part<M>(self, changes: bool, base: *mut P::Target, place: *mut M) -> P::Part<M> {
        self.note(atomic(changes), bytes(base, place));
        // SAFETY: by the caller's word.
        unsafe { self.pointer.part(base, place) }
    }

    /// Notes an access to some of the element's bytes, and reports those it collides with.
    fn note(self, kind: AccessKind, bytes: Range<usize>) {
        let Cells {
            shape, starts, slots, ..
        } = self.cells;
        let element = self.index.iter().zip(shape).fold(0, |at, (k, n)| at * n + k);
        let own = (self.iteration as u64 + 1) << SITE_BITS | u64::from(self.site);
        let mut entries = self.cells.entries.borrow_mut();
        self.cells.used.set(true);
        // A component starts inside of its vector.
        let first = starts.partition_point(|start| *start <= bytes.start).saturating_sub(1);
        let last = starts.partition_point(|start| *start < bytes.end);
        for place in first..last {
            let at = (element * starts.len() + place) * slots;
            let cell = &mut entries[at..at + slots];
            for held in &mut cell[kind.slots()] {
                if *held == 0 {
                    *held = own;
                }
                if iteration(*held) == self.iteration {
                    break;
                }
            }
            for other in AccessKind::ALL.into_iter().filter(|other| kind.collides(*other)) {
                let held = cell.get(other.slots()).unwrap_or_default();
                for met in held
                    .iter()
                    .filter(|held| **held != 0 && iteration(**held) != self.iteration)
                {
                    let met = Noted {
                        site: (met & ((1 << SITE_BITS) - 1)) as u32,
                        kind: other,
                        iteration: iteration(*met),
                    };
                    let own = Noted {
                        site: self.site,
                        kind,
                        iteration: self.iteration,
                    };
                    self.failures.collide([own, met], &self.index);
                }
            }
        }
    }
}

fn atomic(changes: bool) -> AccessKind {
    if changes {
        AccessKind::AtomicChange
    } else {
        AccessKind::AtomicLoad
    }
}

fn iteration(entry: u64) -> usize {
    (entry >> SITE_BITS) as usize - 1
}

/// How far from the start of an element a place is.
fn bytes<T, M>(base: *mut T, place: *mut M) -> Range<usize> {
    let start = place.addr().wrapping_sub(base.addr());
    start..start + size_of::<M>()
}

impl<P: Pointer, const D: usize> Pointer for NotedPointer<'_, P, D> {
    type Target = P::Target;
    type StandIn = P::StandIn;
    type Part<M> = P::Part<M>;

    fn stand_in(self) -> P::StandIn {
        self.pointer.stand_in()
    }

    fn base(self, room: &mut P::StandIn) -> *mut P::Target {
        self.pointer.base(room)
    }

    unsafe fn read(self) -> P::Target
    where
        P::Target: Element,
    {
        self.note(AccessKind::Read, 0..size_of::<P::Target>());
        // SAFETY: by the caller's word.
        unsafe { self.pointer.read() }
    }

    unsafe fn write(self, value: P::Target)
    where
        P::Target: Element,
    {
        self.note(AccessKind::Write, 0..size_of::<P::Target>());
        // SAFETY: by the caller's word.
        unsafe { self.pointer.write(value) }
    }

    unsafe fn get<M: Element>(self, base: *mut P::Target, place: *mut M) -> M {
        self.note(AccessKind::Read, bytes(base, place));
        // SAFETY: by the caller's word.
        unsafe { self.pointer.get(base, place) }
    }

    unsafe fn set<M: Element>(self, base: *mut P::Target, place: *mut M, value: M) {
        self.note(AccessKind::Write, bytes(base, place));
        // SAFETY: by the caller's word.
        unsafe { self.pointer.set(base, place, value) }
    }

    unsafe fn part<M>(self, base: *mut P::Target, place: *mut M) -> P::Part<M> {
        // SAFETY: by the caller's word.
        unsafe { self.pointer.part(base, place) }
    }

    fn first(self) -> *mut P::Target
    where
        P::Target: Element,
    {
        self.pointer.first()
    }

    fn pitch(self) -> usize {
        self.pointer.pitch()
    }
}

/// Calls `body` on all iterations, on the calling thread.
pub fn for_each_in_order<const R: usize, const W: usize>(
    n: usize,
    _: Option<u32>,
    _: Version,
    begins: Begins<'_, R, W>,
    body: impl Fn(Target, Begins<'_, R, W>, Range<usize>),
) {
    Parts::run(None, 0..n, false, None, &mut |range| body(Target::Plain, begins, range));
}
