//! Reductions.

use super::{Scalar, cast, entry, fill, pointer};
use crate::Launch;
use crate::kernels::arg_fold::{self, ArgFold};
use crate::kernels::arg_reduce::{self, ArgReduce};
use crate::kernels::fold::{self, Fold};
use crate::kernels::reduce::{self, Reduce, Segments};
use crate::launch::THREADS;

/// What items become together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Integers wrap. Of no items 0.
    Sum,
    /// Integers wrap. Of no items 1.
    Product,
    /// Passes over NaN. Of no items, or of NaN alone, the greatest value, or infinity.
    Min,
    /// Passes over NaN. Of no items, or of NaN alone, the least value, or minus infinity.
    Max,
    /// Bitwise, or of `bool`. Of no items all bits, or `true`.
    And,
    /// Bitwise, or of `bool`. Of no items 0.
    Or,
}

/// Which item is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The least.
    Min,
    /// The greatest.
    Max,
}

/// An array of `outer` by `length` by `inner` items, reduced along the axis in the middle; strides in items.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "said above")]
pub struct Items {
    pub outer: u64,
    pub length: u64,
    pub inner: u64,
    pub outer_stride: i64,
    pub stride: i64,
    pub inner_stride: i64,
}

impl Items {
    /// All of an array without gaps.
    #[must_use]
    pub fn all(count: u64) -> Items {
        Items::axis(1, count, 1)
    }

    /// Along the axis in the middle of an array without gaps.
    #[must_use]
    pub fn axis(outer: u64, length: u64, inner: u64) -> Items {
        Items {
            outer,
            length,
            inner,
            outer_stride: (length * inner) as i64,
            stride: inner as i64,
            inner_stride: 1,
        }
    }

    pub(super) fn results(&self) -> u64 {
        self.outer * self.inner
    }

    pub(super) fn segments(&self) -> Segments {
        Segments {
            count: self.results(),
            length: self.length,
            stride: self.stride,
            inner: self.inner,
            inner_stride: self.inner_stride,
            outer_stride: self.outer_stride,
        }
    }

    /// Does one thread take all items of a part of a result? Neighbours do, and results of few items. Else the threads of a block share
    /// them. The choice depends on the array alone, and so do the bits of a sum.
    pub(super) fn folded(&self) -> bool {
        self.length <= 32 || self.inner > 1 && self.inner_stride.unsigned_abs() < self.stride.unsigned_abs()
    }

    /// Parts of a result: many threads have work, and few items are added up one after the other.
    pub(super) fn parts(&self) -> Parts {
        let results = self.results().max(1);
        let each = if self.folded() {
            let parts = self.length.div_ceil(1024).max(4096_u64.div_ceil(results));
            self.length.div_ceil(parts).max(64)
        } else {
            let parts = self.length.div_ceil(4096).min(1024_u64.div_ceil(results)).max(1);
            self.length.div_ceil(parts).next_multiple_of(4 * u64::from(THREADS))
        };
        Parts {
            count: self.length.div_ceil(each).max(1),
            each,
        }
    }

    /// What comes out of the parts of each result: `fold` writes neighbours beside each other, `reduce` the parts of a result.
    fn of_parts(&self, parts: &Parts) -> Items {
        if self.folded() {
            Items::axis(self.outer, parts.count, self.inner)
        } else {
            Items::axis(self.results(), parts.count, 1)
        }
    }

    /// The levels of a reduction: items, and the parts that become one value each. The last level has one part for each result.
    fn levels(&self) -> impl Iterator<Item = (Items, Parts)> {
        let level = |items: Items| (items, items.parts());
        std::iter::successors(Some(level(*self)), move |(items, parts)| {
            (parts.count > 1).then(|| level(items.of_parts(parts)))
        })
    }

    /// Values between the launches of a reduction.
    fn between(&self) -> u64 {
        let several = self.levels().filter(|(_, parts)| parts.count > 1);
        several.map(|(items, parts)| items.results() * parts.count).sum()
    }
}

/// Neighbouring items of a result that become one first.
pub(super) struct Parts {
    pub count: u64,
    /// Items of each but the last one.
    pub each: u64,
}

/// Bytes that [`reduce`] needs for a while.
#[must_use]
pub fn reduce_scratch(scalar: Scalar, result: Scalar, items: &Items) -> u64 {
    let converted = if result == scalar.wide() { 0 } else { items.results() };
    (items.between() + converted) * scalar.wide().size()
}

/// Reduces to `outer` by `inner` results at `to`, of the items' type or of the one in which they are computed with, which
/// [`Scalar::wide`] tells. A result depends on the items and their number alone.
///
/// # Panics
/// If there is no such operation: `And` and `Or` of floats, `Sum` and `Product` of `bool`; if the results' type is another.
#[must_use]
pub fn reduce(
    operation: Operation,
    scalar: Scalar,
    from: u64,
    (to, result): (u64, Scalar),
    items: &Items,
    scratch: u64,
) -> Vec<Launch> {
    if items.results() == 0 {
        return Vec::new();
    }
    let fits = match operation {
        Operation::Sum | Operation::Product => scalar != Scalar::Bool,
        Operation::And | Operation::Or => !scalar.is_float(),
        Operation::Min | Operation::Max => true,
    };
    assert!(
        fits && (result == scalar || result == scalar.wide()),
        "{operation:?} of {} as {}",
        scalar.name(),
        result.name()
    );
    if (operation, scalar, items.length) == (Operation::And, Scalar::Bool, 0) {
        // A byte of all bits is no `bool`.
        return fill(to, items.results(), &[1]);
    }
    if result != scalar.wide() {
        let behind = scratch + items.results() * scalar.wide().size();
        let mut launches = reduce(operation, scalar, from, (scratch, scalar.wide()), items, behind);
        launches.extend(cast(scratch, scalar.wide(), to, result, items.results()));
        return launches;
    }
    let (name, scalar) = match operation {
        Operation::Sum => ("sum", scalar.unsigned()),
        Operation::Product => ("product", scalar.unsigned()),
        Operation::Min => ("min", bool_as_byte(scalar)),
        Operation::Max => ("max", bool_as_byte(scalar)),
        Operation::And => ("and", scalar.unsigned()),
        Operation::Or => ("or", scalar.unsigned()),
    };
    let mut launches = Vec::new();
    let (mut scalar, mut from, mut behind) = (scalar, from, scratch);
    for (items, parts) in items.levels() {
        let into = if parts.count == 1 { to } else { behind };
        launches.push(level(name, scalar, &items, &parts, from, into));
        scalar = scalar.wide();
        behind += items.results() * parts.count * scalar.size();
        from = into;
    }
    launches
}

/// One level of a reduction.
fn level(name: &str, scalar: Scalar, items: &Items, parts: &Parts, from: u64, to: u64) -> Launch {
    let (from, to, segments) = (pointer(from), pointer(to), items.segments());
    let &Parts { count: parts, each } = parts;
    let (units, steps) = (segments.count * parts, each.min(items.length));
    if items.folded() {
        let entry = entry(fold::ENTRIES, &format!("fold_{name}_{}", scalar.name()));
        let args = Fold {
            from,
            to,
            segments,
            parts,
            each,
        };
        return Launch::items(entry, units, args.pack()).of_steps(steps);
    }
    let entry = entry(reduce::ENTRIES, &format!("{name}_{}", scalar.name()));
    let args = Reduce {
        from,
        to,
        segments,
        parts,
        each,
    };
    let shared = THREADS * scalar.wide().size() as u32;
    Launch::blocks(entry, units, steps, shared, args.pack())
}

/// Bytes that [`arg_reduce`] needs for a while.
#[must_use]
pub fn arg_reduce_scratch(items: &Items) -> u64 {
    items.between() * 16
}

/// The least or greatest items of `outer` by `inner` segments at `to`, and their numbers in the segments, as `u64`, at
/// `positions`: the first of those that are equal. NaN is found if there is nothing else; without items the number is `u64::MAX`.
#[must_use]
pub fn arg_reduce(
    order: Order,
    scalar: Scalar,
    from: u64,
    (to, positions): (u64, u64),
    items: &Items,
    scratch: u64,
) -> Vec<Launch> {
    if items.results() == 0 {
        return Vec::new();
    }
    let name = match order {
        Order::Min => "argmin",
        Order::Max => "argmax",
    };
    let scalar = bool_as_byte(scalar);
    let mut launches = Vec::new();
    // Positions are a level's second result, in front of its values.
    let (mut from, mut behind) = ((from, 0), scratch);
    for (items, parts) in items.levels() {
        let results = items.results() * parts.count;
        let into = match parts.count {
            1 => (to, positions),
            _ => (behind + results * 8, behind),
        };
        launches.push(arg_level(name, scalar, &items, &parts, from, into));
        behind += results * 16;
        from = into;
    }
    launches
}

/// One level of a search: values and positions.
fn arg_level(
    name: &str,
    scalar: Scalar,
    items: &Items,
    parts: &Parts,
    (from, positions): (u64, u64),
    (to, to_positions): (u64, u64),
) -> Launch {
    let (from, positions, to, to_positions) = (pointer(from), pointer(positions), pointer(to), pointer(to_positions));
    let segments = items.segments();
    let &Parts { count: parts, each } = parts;
    let (units, steps) = (segments.count * parts, each.min(items.length));
    if items.folded() {
        let entry = entry(arg_fold::ENTRIES, &format!("fold_{name}_{}", scalar.name()));
        let args = ArgFold {
            from,
            positions,
            to,
            to_positions,
            segments,
            parts,
            each,
        };
        return Launch::items(entry, units, args.pack()).of_steps(steps);
    }
    let entry = entry(arg_reduce::ENTRIES, &format!("{name}_{}", scalar.name()));
    let args = ArgReduce {
        from,
        positions,
        to,
        to_positions,
        segments,
        parts,
        each,
    };
    let shared = THREADS * (8 + scalar.size() as u32);
    Launch::blocks(entry, units, steps, shared, args.pack())
}

fn bool_as_byte(scalar: Scalar) -> Scalar {
    if scalar == Scalar::Bool { Scalar::U8 } else { scalar }
}
