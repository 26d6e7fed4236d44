//! Parallel loops and reductions over the threads of rayon's current pool.
//!
//! Other threads come after some 10 to 20 microseconds, so that short loops run on the caller: it begins with growing blocks and
//! measures them until it knows whether the rest is worth a call.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

pub use super::domain::{LoopInt, Rows, inclusive, rows, turned};
use super::failure::Parts;
use super::strips::SHARING;
pub use super::strips::Strips;
use super::team::{self, ALWAYS_SPLIT};
use crate::versions::{Begins, Target, Version, call};

/// Simple operations that a thread does in a nanosecond: the unit of `cost`.
const OPS_PER_NS: u64 = 4;
/// Work below this is left to the caller, in operations.
const WORTH: u64 = 30_000 * OPS_PER_NS;
/// Work of the shortest part that is handed out, in operations.
const PART: u64 = 4_000 * OPS_PER_NS;
/// Parts of a loop for each thread: who is done with its own takes those of others.
const PARTS: usize = 16;
/// Iterations that may be taken together.
const LANES: usize = 32;
/// A measurement shorter than this is mostly that of the clock, in nanoseconds.
const CREDIBLE: u64 = 1_000;

/// Whether other threads may run iterations of the same loop at this moment. Where not, an atomic operation may be a
/// plain one.
#[inline]
#[must_use]
pub fn in_parallel() -> bool {
    team::member().is_some()
}

/// Threads that a loop of the caller runs on, at most.
#[must_use]
pub fn threads() -> usize {
    rayon::current_num_threads()
}

/// Calls `body` on ranges that together are `0..n`, each iteration in exactly one of them.
///
/// `cost` is the number of simple operations (4 to a nanosecond) of an iteration at most, `None` if it contains
/// loops of unknown length.
///
/// # Panics
/// If `body` does, after the parts that run at that moment have ended.
#[inline]
pub fn for_each(n: usize, cost: Option<u32>, body: impl Fn(Range<usize>) + Sync) {
    // One compiled copy of the body and none of the scheduling for each loop of a program.
    schedule(n, cost, None, &body);
}

/// [`for_each`] with code of the body for several instruction sets up to `most`, if `VERSIONS`. The body has to be inlined always, and
/// is told whether it may contract, and where fields begin.
///
/// # Panics
/// As for [`for_each`].
#[inline]
pub fn for_each_in_versions<const VERSIONS: bool, const R: usize, const W: usize>(
    n: usize,
    cost: Option<u32>,
    most: Version,
    begins: Begins<'_, R, W>,
    body: impl Fn(Target, Begins<'_, R, W>, Range<usize>) + Sync,
) {
    for_each_in_strips::<VERSIONS, R, W>(n, cost, None, most, begins, body);
}

/// The same for rows that are cut, if `strips`.
///
/// # Panics
/// As for [`for_each`].
#[inline]
pub fn for_each_in_strips<const VERSIONS: bool, const R: usize, const W: usize>(
    n: usize,
    cost: Option<u32>,
    strips: Option<Strips>,
    most: Version,
    begins: Begins<'_, R, W>,
    body: impl Fn(Target, Begins<'_, R, W>, Range<usize>) + Sync,
) {
    // What `call` would do, with fewer functions for rustc.
    if !VERSIONS {
        return schedule(n, cost, strips, &|range| body(Target::Plain, begins, range));
    }
    schedule(n, cost, strips, &|range| {
        call::<VERSIONS, _, _, R, W>(
            most,
            begins,
            #[inline(always)]
            |target, begins, range, ()| body(target, begins, range),
            range,
            (),
        )
    });
}

fn schedule(n: usize, cost: Option<u32>, strips: Option<Strips>, body: &(dyn Fn(Range<usize>) + Sync)) {
    if n == 0 {
        return;
    }
    let Some(known) = Known::of(n, cost) else {
        return Parts::run(None, 0..n, false, strips, &mut { body });
    };
    let parts = Parts::new();
    let body: &(dyn Fn(Range<usize>) + Sync) = &|range| Parts::run(Some(&parts), range, false, strips, &mut { body });
    let whole = strips.and_then(|strips| whole_lines(n, &strips));
    let rounded = |size: usize| {
        let multiple = whole.and_then(|whole| size.checked_next_multiple_of(whole));
        multiple.unwrap_or(size)
    };
    let (done, work) = match known {
        Known::Long(work) => (0, work),
        Known::FirstBlock(block) => match head(n, rounded(block), body) {
            Some(rest) => rest,
            None => return,
        },
    };
    let threads = rayon::current_num_threads();
    if threads == 1 || n - done == 1 {
        return body(done..n);
    }
    let count = ((threads * PARTS) as u64).min(work / PART).max(2);
    let size = (n - done).div_ceil(usize::try_from(count).unwrap_or(usize::MAX));
    let size = match size {
        // Threads then meet inside a cache line only where the fields themselves begin off one.
        256.. => size.checked_next_multiple_of(64).unwrap_or(size),
        // A part that is shorter than the lanes runs its iterations one by one.
        _ if n - done >= 2 * LANES * threads => size.next_multiple_of(LANES),
        _ => size,
    };
    let size = rounded(size);
    parts.shared(|| {
        team::share((n - done).div_ceil(size), &|part| {
            let start = done + part * size;
            body(start..start.saturating_add(size).min(n));
        });
    });
}

/// What is known of the work of a loop that may be worth several threads, before it runs.
enum Known {
    /// It is worth several threads; its operations.
    Long(u64),
    /// It has to be measured; iterations of the first block.
    FirstBlock(usize),
}

impl Known {
    /// `None`: the caller is done with it sooner than others come.
    ///
    /// `cost` is an upper bound for short iterations: vector instructions do ten at a time. Where one is as long as a part, it is taken at
    /// its word.
    fn of(n: usize, cost: Option<u32>) -> Option<Known> {
        let cost = if ALWAYS_SPLIT { Some(u32::MAX) } else { cost };
        let Some(cost) = cost else {
            return Some(Known::FirstBlock(1));
        };
        let work = (n as u64).saturating_mul(u64::from(cost));
        match PART / u64::from(cost.max(1)) {
            _ if work < WORTH => None,
            0 => Some(Known::Long(work)),
            // Parts then begin at whole cache lines.
            block => {
                let block = usize::try_from(block).unwrap_or(n).next_multiple_of(64);
                Some(Known::FirstBlock(block))
            }
        }
    }
}

/// Iterations of as many rows as share lines of the cache: parts of a loop in strips have multiples of them, if that leaves enough parts.
fn whole_lines(n: usize, strips: &Strips) -> Option<usize> {
    let whole = strips.group()?.checked_mul(SHARING)?;
    (n / whole >= 4 * rayon::current_num_threads()).then_some(whole)
}

/// Runs growing blocks from the front and returns how far it came, and the estimated work of the rest, in operations; `None`
/// if nothing is left.
fn head(n: usize, first: usize, body: &(dyn Fn(Range<usize>) + Sync)) -> Option<(usize, u64)> {
    let mut done = 0;
    let mut block = first;
    let mut time = Instant::now();
    while done < n {
        let end = done.saturating_add(block).min(n);
        body(done..end);
        let now = Instant::now();
        let rest = estimate(now - time, end - done, n - end);
        time = now;
        done = end;
        if rest > WORTH {
            return (done < n).then_some((done, rest));
        }
        block = block.saturating_mul(2);
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
    // One compiled copy for each type, not for each loop of a program.
    scheduled(n, cost, &identity, &body, &combine)
}

fn scheduled<A: Send>(
    n: usize,
    cost: Option<u32>,
    identity: &(dyn Fn() -> A + Sync),
    body: &(dyn Fn(Range<usize>, A) -> A + Sync),
    combine: &(dyn Fn(A, A) -> A + Sync),
) -> A {
    if n == 0 {
        return identity();
    }
    let (size, known) = (chunk(n, cost), Known::of(n, cost));
    let parts = known.is_some().then(Parts::new);
    let leaf = |k: usize| part(parts.as_ref(), chunk_at(k, size, n), identity, body);
    let leaf: &(dyn Fn(usize) -> A + Sync) = &leaf;
    let tree = Tree {
        chunks: n.div_ceil(size),
        leaf,
        combine,
    };
    match (&parts, known) {
        (Some(parts), Some(known)) => tree.run(parts, known),
        _ => tree.serial(0..tree.chunks),
    }
}

/// The iterations of a chunk.
fn chunk_at(k: usize, size: usize, n: usize) -> Range<usize> {
    let start = k * size;
    start..start.saturating_add(size).min(n)
}

/// A part of a reduction; of one that fails, whose result is not used, what its last iterations gave.
fn part<A>(
    parts: Option<&Parts>,
    range: Range<usize>,
    identity: &dyn Fn() -> A,
    body: &dyn Fn(Range<usize>, A) -> A,
) -> A {
    let mut partial = None;
    Parts::run(parts, range, true, None, &mut |range| {
        partial = Some(body(range, identity()))
    });
    partial.unwrap_or_else(identity)
}

/// The same on the calling thread alone, with the same bits.
pub fn reduce_in_order<A, const R: usize, const W: usize>(
    n: usize,
    cost: Option<u32>,
    begins: Begins<'_, R, W>,
    identity: impl Fn() -> A,
    body: impl Fn(Target, Begins<'_, R, W>, Range<usize>, A) -> A,
    combine: impl Fn(A, A) -> A,
) -> A {
    if n == 0 {
        return identity();
    }
    let size = chunk(n, cost);
    let body = |range, carried| body(Target::Plain, begins, range, carried);
    let leaf = |k: usize| part(None, chunk_at(k, size, n), &identity, &body);
    let leaf: &dyn Fn(usize) -> A = &leaf;
    let combine: &dyn Fn(A, A) -> A = &combine;
    let tree = Tree {
        chunks: n.div_ceil(size),
        leaf,
        combine,
    };
    tree.serial(0..tree.chunks)
}

/// [`reduce`] with code of the body for several instruction sets, if `VERSIONS`. The body has to be inlined always.
///
/// # Panics
/// As for [`for_each`].
#[inline]
pub fn reduce_in_versions<const VERSIONS: bool, A: Send, const R: usize, const W: usize>(
    n: usize,
    cost: Option<u32>,
    begins: Begins<'_, R, W>,
    identity: impl Fn() -> A + Sync,
    body: impl Fn(Target, Begins<'_, R, W>, Range<usize>, A) -> A + Sync,
    combine: impl Fn(A, A) -> A + Sync,
) -> A {
    if !VERSIONS {
        let plain = |range, carried| body(Target::Plain, begins, range, carried);
        return reduce(n, cost, identity, plain, combine);
    }
    // A reference to the closure would be called through a function that is not inlined always.
    #[allow(clippy::redundant_closure)]
    let versions = |range, carried| {
        call::<VERSIONS, _, _, R, W>(
            Version::Avx512,
            begins,
            #[inline(always)]
            |target, begins, range, carried| body(target, begins, range, carried),
            range,
            carried,
        )
    };
    reduce(n, cost, identity, versions, combine)
}

/// Length of a reduction's chunks, of at least a [`PART`]'s work if that is known. The end of a chunk has work of its own, and nothing is read there for as
/// long as memory takes to answer, so that there are fewer of them where iterations are short.
fn chunk(n: usize, cost: Option<u32>) -> usize {
    let most = if cost.is_some() { 256 } else { 1024 };
    let least = cost.map_or(1, |cost| PART / u64::from(cost.max(1)));
    let least = usize::try_from(least).unwrap_or(usize::MAX).max(1);
    let size = n.div_ceil(256).min(256).max(n.div_ceil(most)).max(least);
    if n >= 16 * LANES {
        // Iterations beyond a multiple run one by one.
        let lanes = if size >= 2 * LANES { 2 * LANES } else { LANES };
        size.checked_next_multiple_of(lanes).unwrap_or(size)
    } else {
        size
    }
}

/// A binary tree over chunks; the left part of each node is the largest power of two below its size.
struct Tree<'a, L: ?Sized, C: ?Sized> {
    chunks: usize,
    leaf: &'a L,
    combine: &'a C,
}

fn middle(range: &Range<usize>) -> usize {
    let half = (range.len() - 1).ilog2();
    range.start + (1 << half)
}

impl<A, L: Fn(usize) -> A + ?Sized, C: Fn(A, A) -> A + ?Sized> Tree<'_, L, C> {
    fn serial(&self, range: Range<usize>) -> A {
        if range.len() == 1 {
            return (self.leaf)(range.start);
        }
        let middle = middle(&range);
        let left = self.serial(range.start..middle);
        (self.combine)(left, self.serial(middle..range.end))
    }
}

impl<A: Send, L: Fn(usize) -> A + Sync + ?Sized, C: Fn(A, A) -> A + Sync + ?Sized> Tree<'_, L, C> {
    fn run(&self, parts: &Parts, known: Known) -> A {
        if let Known::Long(work) = known {
            return self.spread(parts, None, work);
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
                return self.spread(parts, Some((left, done)), rest);
            }
            let end = self.chunks.min(2 * done);
            left = (self.combine)(left, self.serial(done..end));
            last = end - done;
            done = end;
        }
        left
    }

    /// The whole tree on several threads. `left` is a node on its left edge that is known, and how many chunks it has.
    fn spread(&self, shared: &Parts, left: Option<(A, usize)>, work: u64) -> A {
        let threads = rayon::current_num_threads();
        let parts = ((threads * 8) as u64).min(work / PART).max(2);
        // Blocks of as many chunks as a node has are the leaves of a tree of the same shape.
        let size = match threads {
            1 => self.chunks,
            _ => self.chunks.div_ceil(usize::try_from(parts).unwrap_or(usize::MAX)),
        };
        let size = size.next_power_of_two();
        let (size, known) = left.as_ref().map_or((size, 0), |(_, done)| {
            let size = size.min(*done);
            (size, done / size)
        });
        let blocks: Vec<Mutex<Option<A>>> = (0..self.chunks.div_ceil(size)).map(|_| Mutex::new(None)).collect();
        shared.shared(|| {
            team::share(blocks.len() - known, &|part| {
                let block = known + part;
                let value = self.serial(block * size..self.chunks.min((block + 1) * size));
                *blocks[block].lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
            });
        });
        let values = blocks
            .into_iter()
            .map(|block| block.into_inner().unwrap_or_else(PoisonError::into_inner));
        let mut values: Vec<Option<A>> = values.collect();
        if let Some((left, _)) = left {
            values[0] = Some(left);
        }
        let blocks = 0..values.len();
        self.join(&mut values, blocks, known)
    }

    /// The node of these blocks, of which the first `known` have one value.
    fn join(&self, values: &mut [Option<A>], blocks: Range<usize>, known: usize) -> A {
        if blocks.len() == 1 || blocks.end <= known {
            return values[blocks.start]
                .take()
                .expect("each block ran, or a panic came to the caller");
        }
        let middle = middle(&blocks);
        let left = self.join(values, blocks.start..middle, known);
        (self.combine)(left, self.join(values, middle..blocks.end, known))
    }
}
