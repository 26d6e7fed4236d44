//! Gather and scatter.

use super::{Scalar, entry, pointer};
use crate::Launch;
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

fn word(size: u64, addresses: u64) -> (u64, u32) {
    assert!(size > 0 && size < 1 << 31, "elements of {size} bytes");
    let width = 1 << (size | addresses).trailing_zeros().min(4);
    (width, (size / width) as u32)
}

/// Element `i` at `to` becomes the element of `from` at position `i`. Where a position is out of range nothing is written, and the
/// least such `i` goes to the `u64` at `failed`, which is `u64::MAX` before.
///
/// # Panics
/// If `size` is 0, or the positions are of another type.
#[must_use]
pub fn gather(from: Elements, positions: Positions, to: u64, size: u64, failed: u64) -> Vec<Launch> {
    let (width, words) = word(size, from.address | to);
    let name = format!("gather_{width}_{}", positions.name());
    let args = Gather {
        from: pointer(from.address),
        extent: from.count,
        positions: pointer(positions.address),
        to: pointer(to),
        count: positions.count,
        words,
        failed: pointer(failed),
    };
    launch(entry(gather::ENTRIES, &name), positions.count, words, args.pack())
}

/// The element of `to` at position `i` becomes element `i` at `from`. Where a position is out of range nothing is written, and the
/// least such `i` goes to the `u64` at `failed`, which is `u64::MAX` before. Of elements with equal positions one stays, and it
/// is open which; if they are of more than one word it may be a mixture.
///
/// # Panics
/// As [`gather`].
#[must_use]
pub fn scatter(from: u64, positions: Positions, to: Elements, size: u64, failed: u64) -> Vec<Launch> {
    let (width, words) = word(size, from | to.address);
    let name = format!("scatter_{width}_{}", positions.name());
    let args = Scatter {
        from: pointer(from),
        count: positions.count,
        positions: pointer(positions.address),
        to: pointer(to.address),
        extent: to.count,
        words,
        failed: pointer(failed),
    };
    launch(entry(scatter::ENTRIES, &name), positions.count, words, args.pack())
}

fn launch(entry: &'static crate::Entry, count: u64, words: u32, args: crate::launch::Args) -> Vec<Launch> {
    match count {
        0 => Vec::new(),
        _ => vec![Launch::items(entry, count * u64::from(words), args)],
    }
}
