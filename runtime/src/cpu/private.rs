//! Private copies of a field that a parallel loop only adds to.
//!
//! An atomic addition costs ten times a plain one, and more if threads meet at an element. Where the field is small
//! beside the loop, each thread therefore adds to a copy of its own that starts at zero (floats at -0.0, which changes none), and the copies are added to the
//! field at the end. Where additions follow one another closely, a thread has several copies and takes them in turns: an
//! addition that reads what the one before has stored waits for it. Nobody can tell, but by the order of the additions: a field that a loop changes atomically is not read in that loop, and the results of the additions are not used.

use std::any::TypeId;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::memory::Cpu;
use super::merge::Sums;
use crate::access::Access;
use crate::access::layout::{Aos, Layout, Steps};
use crate::device::{Backend, Init};
use crate::element::Element;
use crate::host::parallel::for_each;
use crate::host::team;

/// Elements of all copies together for each iteration of the loop, at most: beyond, the copies cost more than they save.
const WORTH: usize = 8;
/// Copies that a thread has where it takes them in turns.
pub const COPIES: usize = 4;
/// Size of a thread's copies in turns, at most, in bytes: half of a first cache.
const NEAR: usize = 16 << 10;
/// Iterations for each of their elements, at least: at the end they are added up.
const LONG: usize = 64;
/// Iterations of the longest loop that ends before they pay.
const SHORT: usize = 4096;
/// What is kept of memory for later loops, in bytes.
const KEPT: usize = 64 << 20;

/// The copies of one field in one loop. When dropped, it adds them to the field.
pub struct Private<'a, T: Element, const D: usize, L: Layout = Aos> {
    field: Access<'a, T, D, L>,
    /// The parts of elements that the loop adds to.
    added: fn(*mut T) -> Vec<Range<usize>>,
    /// By number of the loop's thread; none if atomic operations are the better way. The inner option is for want of memory.
    copies: Vec<OnceLock<Option<Zeros>>>,
    /// How many copies each of these is.
    parts: usize,
}

/// Where a thread adds, in one part of a loop.
pub struct Claim<'a, T, const D: usize, L: Layout> {
    first: Access<'a, T, D, L>,
    /// Bytes from a copy to the next.
    step: usize,
    shared: bool,
}

impl<'a, T, const D: usize, L: Layout> Claim<'a, T, D, L> {
    /// The copy for iterations with this number, modulo [`COPIES`].
    #[inline(always)]
    #[must_use]
    pub fn copy(&self, number: usize) -> Access<'a, T, D, L> {
        // SAFETY: `claim` has that many copies, or the step is 0.
        unsafe { self.first.moved((number % COPIES) * self.step) }
    }

    /// Whether other threads may add there at this moment.
    #[inline(always)]
    #[must_use]
    pub fn shared(&self) -> bool {
        self.shared
    }
}

impl<'a, T: Element, const D: usize, L: Layout> Private<'a, T, D, L> {
    /// Copies, made when they are first claimed, for a loop of `n` iterations; several for a thread where it can take them in turns and that pays.
    /// `added` tells the [extents](extent) of what the loop adds to in an element that it is given; it does not read that.
    ///
    /// # Safety
    /// What `added` tells lies in an element, and is made of scalars that are added.
    #[must_use]
    pub unsafe fn new(
        field: Access<'a, T, D, L>,
        n: usize,
        turns: bool,
        added: fn(*mut T) -> Vec<Range<usize>>,
    ) -> Self {
        let threads = rayon::current_num_threads();
        let elements = field.len().saturating_mul(threads);
        let near = field.len().saturating_mul(COPIES * size_of::<T>()) <= NEAR;
        let long = n > SHORT && elements.saturating_mul(LONG) <= n;
        let parts = if turns && near && long { COPIES } else { 1 };
        let worth = elements <= n.saturating_mul(WORTH) && (threads > 1 || parts > 1);
        let count = if worth { threads } else { 0 };
        Private {
            field,
            added,
            copies: (0..count).map(|_| OnceLock::new()).collect(),
            parts,
        }
    }

    /// Where this thread shall add.
    #[must_use]
    pub fn claim(&self) -> Claim<'_, T, D, L> {
        let (own, shared) = match team::member() {
            Some(member) => (self.copies.get(member), true),
            // Nobody else is in the loop, or not yet.
            None => (self.copies.first().filter(|_| self.parts > 1), false),
        };
        let bytes = self.bytes();
        match own.and_then(|copy| copy.get_or_init(|| self.take()).as_ref()) {
            Some(zeros) => Claim {
                // SAFETY: each part has as many elements as the field, of whose types zero is a value; only the thread of
                // that number uses them until the loop has ended.
                first: unsafe { zeros.access(self.field.shape(), 0) },
                step: if self.parts > 1 { bytes } else { 0 },
                shared: false,
            },
            None => Claim {
                first: self.field,
                step: 0,
                shared,
            },
        }
    }

    /// Copies to which nothing was added.
    fn take(&self) -> Option<Zeros> {
        let (bytes, all) = (self.bytes(), Sums::all::<T>());
        if all.start_as_zeros() {
            return Zeros::take(self.parts * bytes, None).map(|(zeros, _)| zeros);
        }
        let kind = Kind {
            of: TypeId::of::<T>(),
            planar: L::PLANAR,
            parts: self.parts,
        };
        let (zeros, fresh) = Zeros::take(self.parts * bytes, Some(kind))?;
        for part in (0..self.parts).filter(|_| fresh) {
            // SAFETY: nobody else has the memory, which is that of as many elements.
            unsafe { all.start(zeros.access::<T, D, L>(self.field.shape(), part * bytes)) };
        }
        Some(zeros)
    }

    /// Size of a copy.
    fn bytes(&self) -> usize {
        self.field.len() * size_of::<T>()
    }
}

impl<T: Element, const D: usize, L: Layout> Drop for Private<'_, T, D, L> {
    fn drop(&mut self) {
        let copies: Vec<Zeros> = self
            .copies
            .drain(..)
            .filter_map(|copy| copy.into_inner().flatten())
            .collect();
        if copies.is_empty() {
            return;
        }
        let mut element = MaybeUninit::<T>::zeroed();
        let sums = Sums::of::<T>(&(self.added)(element.as_mut_ptr()));
        let (field, shape) = (Plain(self.field), self.field.shape());
        let (parts, bytes) = (self.parts, self.bytes());
        let cost = u32::try_from(8 * copies.len() * parts).unwrap_or(u32::MAX);
        for_each(field.0.len(), Some(cost), |range| {
            let field = &field;
            for (copy, part) in copies.iter().flat_map(|copy| (0..parts).map(move |part| (copy, part))) {
                // SAFETY: the loop has ended, each element is in one range, and both have that many.
                unsafe { sums.merge(field.0, copy.access(shape, part * bytes), range.clone()) };
            }
        });
        keep(copies);
    }
}

/// Where in an element, in bytes, the place is that a loop adds to.
#[inline]
#[must_use]
pub fn extent<T, M>(element: *mut T, place: *mut M) -> Range<usize> {
    let start = place.addr().wrapping_sub(element.addr());
    start..start.wrapping_add(size_of::<M>())
}

struct Plain<A>(A);
// SAFETY: an address and numbers; whoever uses it answers for races.
unsafe impl<A> Sync for Plain<A> {}

/// Memory of zeros, those of floats below zero.
struct Zeros {
    at: NonNull<u8>,
    bytes: usize,
    /// Where there are floats; none if all bytes are zero.
    kind: Option<Kind>,
}

/// Elements of a type in copies of a layout, one after the other.
#[derive(Clone, Copy, PartialEq)]
struct Kind {
    of: TypeId,
    planar: bool,
    parts: usize,
}

// SAFETY: the memory is owned.
unsafe impl Send for Zeros {}
// SAFETY: shared, it only gives its address.
unsafe impl Sync for Zeros {}

/// Zeros for later loops: fresh memory costs a page fault every 4 KiB.
static FREE: Mutex<Vec<Zeros>> = Mutex::new(Vec::new());

impl Zeros {
    /// Also tells whether all of its bytes are zero yet.
    fn take(bytes: usize, kind: Option<Kind>) -> Option<(Zeros, bool)> {
        if bytes == 0 {
            return None;
        }
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(k) = free.iter().position(|zeros| zeros.bytes == bytes && zeros.kind == kind) {
            return Some((free.swap_remove(k), false));
        }
        drop(free);
        let at = Cpu::new().alloc(bytes, Init::Zeroed).ok()?;
        Some((Zeros { at, bytes, kind }, true))
    }

    /// An array from a byte on.
    ///
    /// # Safety
    /// From there on it has the size of an array of that shape, and of bytes zero that are an element.
    unsafe fn access<T, const D: usize, L: Layout>(&self, shape: [usize; D], from: usize) -> Access<'_, T, D, L> {
        let steps = if L::PLANAR {
            Steps::planes(shape, shape.iter().product())
        } else {
            Steps::of([size_of::<T>() as isize; D]).row_major(shape)
        };
        // SAFETY: by the caller's word; every layout has the strides of row-major order.
        unsafe { Access::with_steps(self.at.as_ptr().byte_add(from).cast(), shape, steps) }
    }
}

impl Drop for Zeros {
    fn drop(&mut self) {
        // SAFETY: `take` allocated it with this size.
        unsafe { Cpu::new().free(self.at, self.bytes) };
    }
}

fn keep(zeros: Vec<Zeros>) {
    let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
    free.extend(zeros);
    let mut total: usize = free.iter().map(|zeros| zeros.bytes).sum();
    // The oldest go first.
    while total > KEPT {
        total -= free.remove(0).bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::atomic::{AtomicAdd, Sharing};

    #[test]
    fn all_additions_arrive() {
        let loops = [(0, 3), (1, 1), (100_000, 17), (100_000, 1000), (100_000, 1_000_003)];
        for (n, len, turns) in loops.into_iter().flat_map(|(n, len)| [(n, len, false), (n, len, true)]) {
            let mut sums: Vec<u64> = (0..len as u64).map(|k| 3 * k).collect();
            for _ in 0..3 {
                // SAFETY: `sums` is borrowed for as long, by this loop only.
                let field: Access<'_, u64, 1> = unsafe { Access::new(sums.as_mut_ptr(), [len]) };
                // SAFETY: all of an element, which is a number.
                let private = unsafe { Private::new(field, n, turns, |whole| vec![extent(whole, whole)]) };
                for_each(n, Some(u32::MAX), |range| {
                    let claim = private.claim();
                    let shared = claim.shared();
                    for k in range {
                        let own = claim.copy(k % COPIES);
                        // SAFETY: below `len`.
                        unsafe {
                            u64::fetch_add(
                                own.unchecked(k % len),
                                k as u64,
                                Sharing {
                                    parallel: shared,
                                    pitch: 1,
                                    pairs: true,
                                },
                            )
                        };
                    }
                });
            }
            for (place, sum) in sums.iter().enumerate() {
                let added: u64 = (place..n).step_by(len).map(|k| k as u64).sum();
                assert_eq!(*sum, 3 * (place as u64 + added), "{place} of {len}, {turns}");
            }
        }
    }
}
