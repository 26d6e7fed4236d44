//! Prefix sums.

use super::{Scalar, entry, pointer};
use crate::Launch;
use crate::kernels::scan::{self, EACH, Scan};
use crate::kernels::scan_add::{self, ScanAdd};
use crate::launch::THREADS;

/// Items of a block.
const TILE: u64 = (THREADS * EACH) as u64;

/// Numbers of the sums of each level: those of the items' tiles, those of the tiles of these, and so on.
fn levels(count: u64) -> Vec<u64> {
    let next = |n: &u64| (*n > TILE).then(|| n.div_ceil(TILE));
    std::iter::successors(next(&count), next).collect()
}

/// Bytes that [`scan`] needs for a while.
#[must_use]
pub fn scan_scratch(scalar: Scalar, count: u64) -> u64 {
    levels(count).iter().sum::<u64>() * scalar.size()
}

/// Prefix sums of `count` items: each with its own item if `inclusive`. `from` may be `to`. Integers wrap; the order of additions
/// depends on the number of items alone.
///
/// # Panics
/// For `bool`.
#[must_use]
pub fn scan(scalar: Scalar, from: u64, to: u64, count: u64, inclusive: bool, scratch: u64) -> Vec<Launch> {
    assert!(scalar != Scalar::Bool, "prefix sums of bool");
    let scalar = scalar.unsigned();
    let size = scalar.size();
    if count == 0 {
        return Vec::new();
    }
    let mut sums = vec![(to, count)];
    let mut place = scratch;
    for level in levels(count) {
        sums.push((place, level));
        place += level * size;
    }
    let tiles = entry(scan::ENTRIES, &format!("scan_{}", scalar.name()));
    let add = entry(scan_add::ENTRIES, &format!("scan_add_{}", scalar.name()));
    let shared = (TILE + 2 * u64::from(THREADS)) as u32 * size as u32;
    let mut launches = Vec::new();
    for (k, &(to, count)) in sums.iter().enumerate() {
        let args = Scan {
            from: pointer(if k == 0 { from } else { to }),
            to: pointer(to),
            sums: pointer(sums.get(k + 1).map_or(0, |sums| sums.0)),
            count,
            inclusive: u32::from(k == 0 && inclusive),
        };
        launches.push(Launch::blocks(tiles, count.div_ceil(TILE), shared, args.pack()));
    }
    for pair in sums.windows(2).rev() {
        let args = ScanAdd {
            to: pointer(pair[0].0),
            sums: pointer(pair[1].0),
            count: pair[0].1,
            tile: TILE as u32,
        };
        launches.push(Launch::items(add, pair[0].1, args.pack()));
    }
    launches
}
