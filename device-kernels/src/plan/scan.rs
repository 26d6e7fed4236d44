//! Prefix sums.

use super::reduce::Parts;
use super::{Items, Scalar, cast, entry, pointer};
use crate::Launch;
use crate::kernels::fold::{self, Fold};
use crate::kernels::scan::{self, EACH, Scan};
use crate::kernels::scan_add::{self, ScanAdd};
use crate::kernels::scan_fold::{self, ScanFold};
use crate::launch::THREADS;

/// Items of a block.
const TILE: u64 = (THREADS * EACH) as u64;

/// Steps of a simple loop that an item of a tile costs on the host.
const STEPS: u64 = 16;

/// An array of `outer` by `length` by `inner` items without gaps, of which those along the axis in the middle are added up.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "said above")]
pub struct Lanes {
    pub outer: u64,
    pub length: u64,
    pub inner: u64,
}

impl Lanes {
    /// All of an array, in the order of its items in memory.
    #[must_use]
    pub fn all(count: u64) -> Lanes {
        Lanes {
            outer: 1,
            length: count,
            inner: 1,
        }
    }

    fn count(&self) -> u64 {
        self.outer * self.length * self.inner
    }

    /// How the items of an axis that is not the last come to lie one after the other.
    fn items(&self) -> Items {
        Items::axis(self.outer, self.length, self.inner)
    }

    /// Numbers of the sums of each level: those of the items' tiles, those of the tiles of these, and so on.
    fn levels(&self) -> Vec<u64> {
        let next = |n: &u64| (*n > TILE).then(|| n.div_ceil(TILE));
        std::iter::successors(next(&self.length), next).collect()
    }

    /// What stands before each part of each lane, where neighbours are cut into parts.
    fn of_parts(&self) -> Option<(Parts, Lanes)> {
        let parts = self.items().parts();
        let starts = Lanes {
            length: parts.count,
            ..*self
        };
        (parts.count > 1).then_some((parts, starts))
    }

    /// Sums between the launches.
    fn between(&self) -> u64 {
        if !self.items().folded() {
            return self.levels().iter().sum::<u64>() * self.outer * self.inner;
        }
        self.of_parts()
            .map_or(0, |(_, starts)| starts.count() + starts.between())
    }
}

/// Bytes that [`scan`] needs for a while.
#[must_use]
pub fn scan_scratch(scalar: Scalar, lanes: &Lanes) -> u64 {
    let converted = if scalar == scalar.wide() { 0 } else { lanes.count() };
    (lanes.between() + converted) * scalar.wide().size()
}

/// Prefix sums along the lanes: each with its own item if `inclusive`. `from` may be `to`. Integers wrap; floats of 16 bits are
/// added up as `f32`; the order of additions depends on the array's shape alone.
///
/// # Panics
/// For `bool`.
#[must_use]
pub fn scan(scalar: Scalar, from: u64, to: u64, lanes: &Lanes, inclusive: bool, scratch: u64) -> Vec<Launch> {
    assert!(scalar != Scalar::Bool, "prefix sums of bool");
    let count = lanes.count();
    if count == 0 {
        return Vec::new();
    }
    let wide = scalar.wide();
    if wide != scalar {
        let mut launches = cast(from, scalar, scratch, wide, count);
        let behind = scratch + count * wide.size();
        launches.extend(scan(wide, scratch, scratch, lanes, inclusive, behind));
        launches.extend(cast(scratch, wide, to, scalar, count));
        return launches;
    }
    let scalar = scalar.unsigned();
    if !lanes.items().folded() {
        return rows(scalar, from, to, lanes, inclusive, scratch);
    }
    let segments = lanes.items().segments();
    let of_parts = lanes.of_parts();
    let (parts, each) = of_parts
        .as_ref()
        .map_or((1, lanes.length), |(parts, _)| (parts.count, parts.each));
    let mut launches = Vec::new();
    if let Some((_, lanes)) = &of_parts {
        let sums = entry(fold::ENTRIES, &format!("fold_sum_{}", scalar.name()));
        let args = Fold {
            from: pointer(from),
            to: pointer(scratch),
            segments,
            parts,
            each,
        };
        launches.push(Launch::items(sums, segments.count * parts, args.pack()).of_steps(each));
        let behind = scratch + lanes.count() * scalar.size();
        launches.extend(scan(scalar, scratch, scratch, lanes, false, behind));
    }
    let args = ScanFold {
        from: pointer(from),
        to: pointer(to),
        starts: pointer(if parts > 1 { scratch } else { 0 }),
        segments,
        parts,
        each,
        inclusive: u32::from(inclusive),
    };
    let entry = entry(scan_fold::ENTRIES, &format!("scan_fold_{}", scalar.name()));
    launches.push(Launch::items(entry, segments.count * parts, args.pack()).of_steps(each));
    launches
}

/// Prefix sums of lanes whose items lie one after the other.
fn rows(scalar: Scalar, from: u64, to: u64, lanes: &Lanes, inclusive: bool, scratch: u64) -> Vec<Launch> {
    let segments = lanes.outer * lanes.inner;
    let size = scalar.size();
    let mut sums = vec![(to, lanes.length)];
    let mut place = scratch;
    for level in lanes.levels() {
        sums.push((place, level));
        place += level * segments * size;
    }
    let tiles = entry(scan::ENTRIES, &format!("scan_{}", scalar.name()));
    let add = entry(scan_add::ENTRIES, &format!("scan_add_{}", scalar.name()));
    let shared = (TILE + 2 * u64::from(THREADS)) as u32 * size as u32;
    let mut launches = Vec::new();
    for (k, &(to, length)) in sums.iter().enumerate() {
        let args = Scan {
            from: pointer(if k == 0 { from } else { to }),
            to: pointer(to),
            sums: pointer(sums.get(k + 1).map_or(0, |sums| sums.0)),
            segments,
            length,
            inclusive: u32::from(k == 0 && inclusive),
        };
        let blocks = segments * length.div_ceil(TILE);
        launches.push(Launch::blocks(tiles, blocks, STEPS * TILE, shared, args.pack()));
    }
    for pair in sums.windows(2).rev() {
        let (length, tiles) = (pair[0].1, pair[1].1);
        let args = ScanAdd {
            to: pointer(pair[0].0),
            sums: pointer(pair[1].0),
            segments,
            length,
            tile: TILE as u32,
            tiles,
        };
        launches.push(Launch::items(add, segments * length, args.pack()));
    }
    launches
}
