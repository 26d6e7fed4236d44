//! Gather and scatter.

use super::{Scalar, entry, pointer};
use crate::Launch;
use crate::kernels::claim::{self, Claim};
use crate::kernels::gather::{self, Gather};
use crate::kernels::scatter::{self, Scatter};

/// Elements of `size` bytes that follow each other.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "said above")]
pub struct Elements {
    pub address: u64,
    pub count: u64,
}

/// `count` positions of elements: `i32`, `i64`, `u32` or `u64`. There are as many as elements that are read or written at
/// them.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "said above")]
pub struct Positions {
    pub address: u64,
    pub scalar: Scalar,
    pub count: u64,
}

impl Positions {
    /// Of the entry's name.
    fn name(self) -> &'static str {
        match self.scalar {
            Scalar::I32 => "i32",
            Scalar::U32 => "u32",
            Scalar::I64 | Scalar::U64 => "u64",
            other => panic!("positions of type {}", other.name()),
        }
    }
}

fn word(size: u64, addresses: u64) -> (u64, u64) {
    assert!(size > 0, "elements of no bytes");
    let width = 1 << (size | addresses).trailing_zeros().min(4);
    (width, size / width)
}

/// Element `i` at `to` becomes the element of `from` at position `i`, in each of `batches` rows: of `from.count` elements here, of
/// as many as there are positions there. Where a position is out of range nothing is written, and the
/// least such `i` goes to the `u64` at `failed`, which is `u64::MAX` before.
///
/// # Panics
/// If `size` is 0, or the positions are of another type.
#[must_use]
pub fn gather(from: Elements, positions: Positions, (to, batches): (u64, u64), size: u64, failed: u64) -> Vec<Launch> {
    let (width, words) = word(size, from.address | to);
    let name = format!("gather_{width}_{}", positions.name());
    let args = Gather {
        from: pointer(from.address),
        extent: from.count,
        positions: pointer(positions.address),
        to: pointer(to),
        count: positions.count,
        batches,
        words,
        failed: pointer(failed),
    };
    launch(
        entry(gather::ENTRIES, &name),
        positions.count * batches,
        words,
        args.pack(),
    )
}

/// Finds out which elements [`scatter`] writes: `last` has a `u64` for each of `extent` elements, all 0 before. The least `i` whose
/// position is out of range goes to the `u64` at `failed`, which is `u64::MAX` before.
///
/// # Panics
/// If the positions are of another type.
#[must_use]
pub fn claim(positions: Positions, (last, extent): (u64, u64), failed: u64) -> Vec<Launch> {
    let args = Claim {
        count: positions.count,
        positions: pointer(positions.address),
        extent,
        last: pointer(last),
        failed: pointer(failed),
    };
    let name = format!("claim_{}", positions.name());
    launch(entry(claim::ENTRIES, &name), positions.count, 1, args.pack())
}

/// The element of `to` at position `i` becomes element `i` at `from`; of several with one position the last one. [`claim`] has
/// written `last` for these positions; where a position is out of range nothing is written.
///
/// # Panics
/// As [`gather`].
#[must_use]
pub fn scatter(from: u64, positions: Positions, to: Elements, size: u64, last: u64) -> Vec<Launch> {
    let (width, words) = word(size, from | to.address);
    let name = format!("scatter_{width}_{}", positions.name());
    let args = Scatter {
        from: pointer(from),
        count: positions.count,
        positions: pointer(positions.address),
        to: pointer(to.address),
        extent: to.count,
        words,
        last: pointer(last),
    };
    launch(entry(scatter::ENTRIES, &name), positions.count, words, args.pack())
}

fn launch(entry: &'static crate::Entry, count: u64, words: u64, args: crate::launch::Args) -> Vec<Launch> {
    match count {
        0 => Vec::new(),
        _ => vec![Launch::items(entry, count * words, args)],
    }
}
