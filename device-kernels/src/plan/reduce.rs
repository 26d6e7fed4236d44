//! Reductions.

use super::{Scalar, cast, entry, pointer};
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
    /// Bitwise, or of `bool`. Of no items all bits.
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

    /// Does one thread take all items of a result? The choice depends on the array alone, and so do the bits of a sum.
    pub(super) fn in_one_thread(&self) -> bool {
        let neighbours = self.inner > 1 && self.inner_stride.unsigned_abs() < self.stride.unsigned_abs();
        self.length <= 32 || neighbours && self.results() >= 4096
    }

    /// Blocks for a result.
    fn parts(&self) -> u64 {
        let wanted = self.length.div_ceil(u64::from(THREADS) * 8);
        wanted.min(1024_u64.div_ceil(self.results().max(1))).max(1)
    }
}

/// Bytes that [`reduce`] needs for a while.
#[must_use]
pub fn reduce_scratch(scalar: Scalar, result: Scalar, items: &Items) -> u64 {
    let parts = if items.in_one_thread() || items.parts() == 1 {
        0
    } else {
        items.results() * items.parts()
    };
    let converted = if result == scalar.wide() { 0 } else { items.results() };
    (parts + converted) * scalar.wide().size()
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
    let segments = items.segments();
    let (from, to, scratch) = (pointer(from), pointer(to), pointer(scratch));
    if items.in_one_thread() {
        let entry = entry(fold::ENTRIES, &format!("fold_{name}_{}", scalar.name()));
        let args = Fold { from, to, segments };
        return vec![Launch::items(entry, segments.count, args.pack()).of_steps(items.length)];
    }
    let step = |scalar: Scalar, from, to, segments: Segments, parts| {
        let entry = entry(reduce::ENTRIES, &format!("{name}_{}", scalar.name()));
        let shared = THREADS * scalar.wide().size() as u32;
        let args = Reduce {
            from,
            to,
            segments,
            parts,
        };
        Launch::blocks(entry, segments.count * parts, shared, args.pack())
    };
    match items.parts() {
        1 => vec![step(scalar, from, to, segments, 1)],
        parts => vec![
            step(scalar, from, scratch, segments, parts),
            step(scalar.wide(), scratch, to, of_parts(segments.count, parts), 1),
        ],
    }
}

/// Bytes that [`arg_reduce`] needs for a while.
#[must_use]
pub fn arg_reduce_scratch(items: &Items) -> u64 {
    if items.in_one_thread() || items.parts() == 1 {
        return 0;
    }
    items.results() * items.parts() * 16
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
    let segments = items.segments();
    if items.in_one_thread() {
        let entry = entry(arg_fold::ENTRIES, &format!("fold_{name}_{}", scalar.name()));
        let args = ArgFold {
            from: pointer(from),
            to: pointer(to),
            to_positions: pointer(positions),
            segments,
        };
        return vec![Launch::items(entry, segments.count, args.pack()).of_steps(items.length)];
    }
    let entry = entry(arg_reduce::ENTRIES, &format!("{name}_{}", scalar.name()));
    let shared = THREADS * (8 + scalar.size() as u32);
    let step = |from: [u64; 2], to: [u64; 2], segments: Segments, parts| {
        let args = ArgReduce {
            from: pointer(from[0]),
            positions: pointer(from[1]),
            to: pointer(to[0]),
            to_positions: pointer(to[1]),
            segments,
            parts,
        };
        Launch::blocks(entry, segments.count * parts, shared, args.pack())
    };
    match items.parts() {
        1 => vec![step([from, 0], [to, positions], segments, 1)],
        parts => {
            let between = [scratch + segments.count * parts * 8, scratch];
            vec![
                step([from, 0], between, segments, parts),
                step(between, [to, positions], of_parts(segments.count, parts), 1),
            ]
        }
    }
}

fn of_parts(count: u64, parts: u64) -> Segments {
    Segments {
        count,
        length: parts,
        stride: 1,
        inner: 1,
        inner_stride: 0,
        outer_stride: parts as i64,
    }
}

fn bool_as_byte(scalar: Scalar) -> Scalar {
    if scalar == Scalar::Bool { Scalar::U8 } else { scalar }
}
