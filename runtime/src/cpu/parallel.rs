//! Parallel loops and reductions over the threads of rayon's current pool.
//!
//! Handing work to other threads costs some 10 to 20 microseconds, so that short loops run on the caller. Where the
//! length of an iteration is unknown, the caller runs growing blocks itself and measures them until it knows.

use std::cell::Cell;
use std::ops::Range;
use std::time::Instant;

pub use super::domain::{LoopInt, Rows, rows};
use super::failure::Parts;
use super::version::call;

/// Simple operations that a thread does in a nanosecond: the unit of `cost`.
const OPS_PER_NS: u64 = 4;
/// Work below this is done sooner by the caller alone, in operations.
const WORTH: u64 = 30_000 * OPS_PER_NS;
/// Work of the shortest part that is handed out, in operations.
const PART: u64 = 4_000 * OPS_PER_NS;
/// Iterations that may be taken together.
const LANES: usize = 32;
/// A measurement shorter than this is mostly that of the clock, in nanoseconds.
const CREDIBLE: u64 = 1_000;
/// With `--cfg swathe_split` every loop is cut into parts and the parts wait for other threads to take some, so that a
/// detector of data races sees small loops on several threads (`cargo xtask sanitize`).
const ALWAYS_SPLIT: bool = cfg!(swathe_split);

thread_local! {
    static SHARED: Cell<bool> = const { Cell::new(false) };
}

/// Whether other threads may run iterations of the same loop at this moment. Where not, an atomic operation may be a
/// plain one.
#[inline]
#[must_use]
pub fn in_parallel() -> bool {
    SHARED.get()
}

/// Marks the thread as one of several, until dropped.
struct Sharing {
    before: bool,
}

impl Sharing {
    fn start() -> Sharing {
        Sharing {
            before: SHARED.replace(true),
        }
    }
}

impl Drop for Sharing {
    fn drop(&mut self) {
        SHARED.set(self.before);
    }
}

/// Calls `body` on ranges that together are `0..n`, each iteration in exactly one of them.
///
/// `cost` is the estimated number of simple operations (4 to a nanosecond) of an iteration, `None` if it contains
/// loops of unknown length.
///
/// # Panics
/// If `body` does, after the parts that run at that moment have ended.
#[inline]
pub fn for_each(n: usize, cost: Option<u32>, body: impl Fn(Range<usize>) + Sync) {
    // One compiled copy of the body and none of the scheduling for each loop of a program.
    schedule(n, cost, &body);
}

/// [`for_each`] with code of the body for several instruction sets, if `VERSIONS`. The body has to be inlined always, and is told
/// whether it may contract.
///
/// # Panics
/// As for [`for_each`].
#[inline]
pub fn for_each_in_versions<const VERSIONS: bool>(
    n: usize,
    cost: Option<u32>,
    body: impl Fn(bool, Range<usize>) + Sync,
) {
    for_each(n, cost, |range| {
        call::<VERSIONS, _, _>(
            #[inline(always)]
            |fused, range, ()| body(fused, range),
            range,
            (),
        )
    });
}

fn schedule(n: usize, cost: Option<u32>, body: &(dyn Fn(Range<usize>) + Sync)) {
    if n == 0 {
        return;
    }
    let cost = if ALWAYS_SPLIT { Some(u32::MAX) } else { cost };
    let parts = Parts::new();
    let body: &(dyn Fn(Range<usize>) + Sync) = &|range| parts.run(range, body);
    let (done, work, parts) = match cost {
        Some(cost) => {
            let work = (n as u64).saturating_mul(u64::from(cost));
            if work < WORTH {
                return body(0..n);
            }
            (0, work, 4)
        }
        None => match head(n, body) {
            Some((done, work)) => (done, work, 16),
            None => return,
        },
    };
    let threads = rayon::current_num_threads();
    if threads == 1 || n - done == 1 {
        return body(done..n);
    }
    let parts = ((threads * parts) as u64).min(work / PART).max(2);
    let size = (n - done).div_ceil(usize::try_from(parts).unwrap_or(usize::MAX));
    let size = match size {
        // Threads then meet inside a cache line only where the fields themselves begin off one.
        256.. => size.next_multiple_of(64),
        // A part that is shorter than the lanes runs its iterations one by one.
        _ if n - done >= 2 * LANES * threads => size.next_multiple_of(LANES),
        _ => size,
    };
    split(done..n, size, body);
}

/// Runs blocks from the front and returns how far it came, and the estimated work of the rest, in operations; `None`
/// if nothing is left.
fn head(n: usize, body: &(dyn Fn(Range<usize>) + Sync)) -> Option<(usize, u64)> {
    let mut done = 0;
    let mut block = 1;
    let mut time = Instant::now();
    while done < n {
        let end = n.min(done + block);
        body(done..end);
        let now = Instant::now();
        let rest = estimate(now - time, end - done, n - end);
        time = now;
        done = end;
        if rest > WORTH {
            return (done < n).then_some((done, rest));
        }
        block *= 2;
    }
    None
}

/// Work of `rest` iterations, in operations, if `count` of them took `time`; 0 while that is too short to tell.
fn estimate(time: std::time::Duration, count: usize, rest: usize) -> u64 {
    let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    if time < CREDIBLE {
        return 0;
    }
    let rest = u128::from(time) * u128::from(OPS_PER_NS) * rest as u128 / count as u128;
    u64::try_from(rest).unwrap_or(u64::MAX)
}

fn split(range: Range<usize>, size: usize, body: &(dyn Fn(Range<usize>) + Sync)) {
    let parts = range.len().div_ceil(size);
    if parts <= 1 {
        let _sharing = Sharing::start();
        invite();
        return body(range);
    }
    let middle = range.start + parts / 2 * size;
    rayon::join(
        || split(range.start..middle, size, body),
        || split(middle..range.end, size, body),
    );
}

/// Leaves other threads the time to take a part that lies ready.
fn invite() {
    if ALWAYS_SPLIT {
        std::thread::sleep(std::time::Duration::from_micros(100));
    }
}

/// Folds `0..n`: `body` carries an accumulator, which starts as `identity()`, over a range, and `combine` joins the
/// results of two neighbouring ranges, the earlier one first.
///
/// Ranges and the order of combination depend on `n` and `cost` alone: the result has the same bits for every number
/// of threads. `cost` is that of [`for_each`].
///
/// # Panics
/// As for [`for_each`].
#[inline]
pub fn reduce<A: Send>(
    n: usize,
    cost: Option<u32>,
    identity: impl Fn() -> A + Sync,
    body: impl Fn(Range<usize>, A) -> A + Sync,
    combine: impl Fn(A, A) -> A + Sync,
) -> A {
    if n == 0 {
        return identity();
    }
    let size = chunk(n, cost);
    let parts = Parts::new();
    let leaf = |k: usize| part(&parts, k * size..n.min((k + 1) * size), &identity, &body);
    Tree {
        chunks: n.div_ceil(size),
        leaf: &leaf,
        combine: &combine,
    }
    .run(n, cost)
}

/// A part of a reduction; of one that fails, whose result is not used, what its last iterations gave.
fn part<A>(parts: &Parts, range: Range<usize>, identity: &impl Fn() -> A, body: &impl Fn(Range<usize>, A) -> A) -> A {
    let mut partial = None;
    parts.run(range, |range| partial = Some(body(range, identity())));
    partial.unwrap_or_else(identity)
}

/// The same on the calling thread alone, with the same bits.
pub fn reduce_in_order<A>(
    n: usize,
    cost: Option<u32>,
    identity: impl Fn() -> A,
    body: impl Fn(bool, Range<usize>, A) -> A,
    combine: impl Fn(A, A) -> A,
) -> A {
    if n == 0 {
        return identity();
    }
    let size = chunk(n, cost);
    let parts = Parts::new();
    let body = |range, carried| body(false, range, carried);
    let leaf = |k: usize| part(&parts, k * size..n.min((k + 1) * size), &identity, &body);
    let tree = Tree {
        chunks: n.div_ceil(size),
        leaf: &leaf,
        combine: &combine,
    };
    tree.serial(0..tree.chunks)
}

/// [`reduce`] with code of the body for several instruction sets, if `VERSIONS`. The body has to be inlined always.
///
/// # Panics
/// As for [`for_each`].
#[inline]
pub fn reduce_in_versions<const VERSIONS: bool, A: Send>(
    n: usize,
    cost: Option<u32>,
    identity: impl Fn() -> A + Sync,
    body: impl Fn(bool, Range<usize>, A) -> A + Sync,
    combine: impl Fn(A, A) -> A + Sync,
) -> A {
    // A reference to the closure would be called through a function that is not inlined always.
    #[allow(clippy::redundant_closure)]
    let versions = |range, carried| {
        call::<VERSIONS, _, _>(
            #[inline(always)]
            |fused, range, carried| body(fused, range, carried),
            range,
            carried,
        )
    };
    reduce(n, cost, identity, versions, combine)
}

/// Length of a reduction's chunks: at most 1024 of them, of at least a microsecond's work if that is known.
fn chunk(n: usize, cost: Option<u32>) -> usize {
    let least = cost.map_or(1, |cost| 1_000 * OPS_PER_NS / u64::from(cost.max(1)));
    let least = usize::try_from(least).unwrap_or(usize::MAX).max(1);
    let size = n.div_ceil(256).min(256).max(n.div_ceil(1024)).max(least);
    if n >= 16 * LANES {
        // Iterations beyond a multiple run one by one.
        size.next_multiple_of(if size >= 2 * LANES { 2 * LANES } else { LANES })
    } else {
        size
    }
}

/// A binary tree over chunks; the left part of each node is the largest power of two below its size.
struct Tree<'a, L, C> {
    chunks: usize,
    leaf: &'a L,
    combine: &'a C,
}

fn middle(range: &Range<usize>) -> usize {
    let half = (range.len() - 1).ilog2();
    range.start + (1 << half)
}

impl<A, L: Fn(usize) -> A, C: Fn(A, A) -> A> Tree<'_, L, C> {
    fn serial(&self, range: Range<usize>) -> A {
        if range.len() == 1 {
            return (self.leaf)(range.start);
        }
        let middle = middle(&range);
        let left = self.serial(range.start..middle);
        (self.combine)(left, self.serial(middle..range.end))
    }
}

impl<A: Send, L: Fn(usize) -> A + Sync, C: Fn(A, A) -> A + Sync> Tree<'_, L, C> {
    fn run(&self, n: usize, cost: Option<u32>) -> A {
        let cost = if ALWAYS_SPLIT { Some(u32::MAX) } else { cost };
        if let Some(cost) = cost {
            let work = (n as u64).saturating_mul(u64::from(cost));
            return if work < WORTH {
                self.serial(0..self.chunks)
            } else {
                self.spread(0..self.chunks, self.grain(work))
            };
        }
        // The left edge of the tree holds 1, 2, 4, .. chunks: the growing blocks to measure.
        let mut time = Instant::now();
        let mut left = (self.leaf)(0);
        let mut done = 1;
        let mut last = 1;
        while done < self.chunks {
            let now = Instant::now();
            let rest = estimate(now - time, last, self.chunks - done);
            time = now;
            if rest > WORTH {
                return self.edge(left, done, self.chunks, self.grain(rest));
            }
            let end = self.chunks.min(2 * done);
            left = (self.combine)(left, self.serial(done..end));
            last = end - done;
            done = end;
        }
        left
    }

    /// Chunks to run on one thread without further division.
    fn grain(&self, work: u64) -> usize {
        let threads = rayon::current_num_threads();
        if threads == 1 {
            return self.chunks;
        }
        let parts = ((threads * 8) as u64).min(work / PART).max(2);
        self.chunks.div_ceil(usize::try_from(parts).unwrap_or(usize::MAX))
    }

    fn spread(&self, range: Range<usize>, grain: usize) -> A {
        if range.len() <= grain {
            let _sharing = (range.len() < self.chunks).then(Sharing::start);
            invite();
            return self.serial(range);
        }
        let middle = middle(&range);
        let (left, right) = rayon::join(
            || self.spread(range.start..middle, grain),
            || self.spread(middle..range.end, grain),
        );
        (self.combine)(left, right)
    }

    /// The node `0..end`, of which the first `done` chunks gave `left`.
    fn edge(&self, left: A, done: usize, end: usize, grain: usize) -> A {
        if end == done {
            return left;
        }
        let middle = middle(&(0..end));
        let (left, right) = rayon::join(
            || self.edge(left, done, middle, grain),
            || self.spread(middle..end, grain),
        );
        (self.combine)(left, right)
    }
}
