//! Matrix products.

use super::{Scalar, entry, pointer};
use crate::Launch;
use crate::kernels::product::{DEPTH, EDGE, Extents, Lie, dot, dot_fold, dot_join, large_tile, pitch, tile};
use crate::launch::THREADS;

/// What matrices of a product hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// Numbers. Integers wrap; floats of 16 bits are computed with as `f32`, and rounded once.
    Real(Scalar),
    /// Complex numbers with parts of that type.
    Complex(Scalar),
}

impl Factor {
    /// As entries are named.
    fn name(self) -> &'static str {
        match self {
            Factor::Complex(Scalar::F32) => "c32",
            Factor::Complex(Scalar::F64) => "c64",
            Factor::Real(scalar) if scalar != Scalar::Bool => scalar.unsigned().name(),
            Factor::Real(scalar) | Factor::Complex(scalar) => panic!("products of {}", scalar.name()),
        }
    }

    /// Bytes of a value as it is computed with.
    fn wide(self) -> u64 {
        match self {
            Factor::Real(scalar) => scalar.size().max(4),
            Factor::Complex(scalar) => 2 * scalar.size(),
        }
    }

    /// Bytes of a sum of some of the products.
    fn partial(self) -> u64 {
        match self {
            Factor::Real(scalar) => scalar.wide().size(),
            Factor::Complex(scalar) => 2 * scalar.size(),
        }
    }
}

/// A batch of matrices in memory. Strides are in scalars, of which a complex number has two.
#[derive(Clone, Copy, Debug)]
pub struct Matrices {
    /// Of the first value.
    pub address: u64,
    /// From a matrix to the next.
    pub matrix: i64,
    /// From a row to the next.
    pub row: i64,
    /// From a column to the next.
    pub column: i64,
    /// From a real part to the imaginary one.
    pub imaginary: i64,
}

impl Matrices {
    fn lie(&self) -> Lie {
        Lie {
            matrix: self.matrix,
            row: self.row,
            column: self.column,
            imaginary: self.imaginary,
        }
    }
}

/// `batch` matrices of `rows` by `inner`, times as many of `inner` by `columns`.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "said above")]
pub struct ProductExtents {
    pub batch: u64,
    pub rows: u64,
    pub inner: u64,
    pub columns: u64,
}

/// How results are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Tiles of this edge in quads for each thread.
    Tiles(u32),
    /// The threads of a block share the products of a result, or of a part of them.
    Dot { parts: u64, each: u64 },
    /// A thread has them.
    Fold { parts: u64, each: u64 },
}

/// Blocks that fill a large device.
const MANY: u64 = 128;

impl Form {
    /// It depends on shapes, strides and type alone, and so do the bits of a result.
    fn of(factor: Factor, left: &Matrices, right: &Matrices, e: &ProductExtents) -> Form {
        let results = (e.batch * e.rows * e.columns).max(1);
        if e.rows.min(e.columns) > 4 && e.rows * e.columns > 1024 {
            let large = u64::from(2 * EDGE);
            let tiles = e.batch * e.rows.div_ceil(large) * e.columns.div_ceil(large);
            return Form::Tiles(if factor.wide() == 4 && tiles >= MANY { 2 } else { 1 });
        }
        // The larger matrix decides: it is read in the order of memory.
        let (along, across, extent) = match e.columns <= e.rows {
            true => (left.column, left.row, e.rows),
            false => (right.row, right.column, e.columns),
        };
        if e.inner <= 32 || extent > 1 && along.unsigned_abs() > across.unsigned_abs() {
            let parts = (MANY * u64::from(THREADS) / 2).div_ceil(results).min(1024);
            let each = e.inner.div_ceil(parts).max(64);
            return Form::Fold {
                parts: e.inner.div_ceil(each).max(1),
                each,
            };
        }
        let parts = e.inner.div_ceil(4096).min(1024_u64.div_ceil(results)).max(1);
        let each = e.inner.div_ceil(parts).next_multiple_of(4 * u64::from(THREADS));
        Form::Dot {
            parts: e.inner.div_ceil(each).max(1),
            each,
        }
    }
}

/// Bytes that [`product`] needs for a while: only where results are few and sums are long.
#[must_use]
pub fn product_scratch(factor: Factor, left: &Matrices, right: &Matrices, extents: &ProductExtents) -> u64 {
    let results = extents.batch * extents.rows * extents.columns;
    match Form::of(factor, left, right, extents) {
        _ if results == 0 => 0,
        Form::Dot { parts, .. } | Form::Fold { parts, .. } if parts > 1 => results * parts * factor.partial(),
        _ => 0,
    }
}

/// Products of matrices, which do not overlap with the results. Of no inner extent they are 0.
///
/// # Panics
/// Of `bool`, and of complex numbers that are not of floats of 32 or 64 bits.
#[must_use]
pub fn product(
    factor: Factor,
    left: &Matrices,
    right: &Matrices,
    to: &Matrices,
    extents: &ProductExtents,
    scratch: u64,
) -> Vec<Launch> {
    let &ProductExtents {
        batch,
        rows,
        inner,
        columns,
    } = extents;
    let results = batch * rows * columns;
    if results == 0 {
        return Vec::new();
    }
    let name = factor.name();
    let e = Extents {
        batch,
        rows,
        inner,
        columns,
    };
    let (l, r, t) = (left.lie(), right.lie(), to.lie());
    let [left_at, right_at] = [left, right].map(|of| pointer(of.address));
    let each_result = THREADS * factor.wide() as u32;
    // Parts go to memory that is joined afterwards.
    let target = |parts| pointer(if parts == 1 { to.address } else { scratch });
    let (first, parts) = match Form::of(factor, left, right, extents) {
        Form::Tiles(quads) => {
            let edge = u64::from(EDGE * quads);
            let blocks = batch * rows.div_ceil(edge) * columns.div_ceil(edge);
            let shared = 2 * DEPTH * pitch(quads) * factor.wide() as u32;
            let steps = inner.max(1).saturating_mul(edge * edge);
            let (to, left, right) = (pointer(to.address), left_at, right_at);
            let (entry, args) = match quads {
                1 => {
                    let args = tile::Tile {
                        left,
                        right,
                        to,
                        l,
                        r,
                        t,
                        e,
                    };
                    (entry(tile::ENTRIES, &format!("product_{name}")), args.pack())
                }
                _ => {
                    let args = large_tile::LargeTile {
                        left,
                        right,
                        to,
                        l,
                        r,
                        t,
                        e,
                    };
                    (
                        entry(large_tile::ENTRIES, &format!("product_large_{name}")),
                        args.pack(),
                    )
                }
            };
            return vec![Launch::blocks(entry, blocks, steps, shared, args)];
        }
        Form::Dot { parts, each } => {
            let args = dot::Dot {
                left: left_at,
                right: right_at,
                to: target(parts),
                l,
                r,
                t,
                e,
                parts,
                each,
            };
            let entry = entry(dot::ENTRIES, &format!("dot_{name}"));
            (
                Launch::blocks(entry, results * parts, each.min(inner), each_result, args.pack()),
                parts,
            )
        }
        Form::Fold { parts, each } => {
            let args = dot_fold::DotFold {
                left: left_at,
                right: right_at,
                to: target(parts),
                l,
                r,
                t,
                e,
                parts,
                each,
            };
            let entry = entry(dot_fold::ENTRIES, &format!("dot_fold_{name}"));
            (
                Launch::items(entry, results * parts, args.pack()).of_steps(each.min(inner)),
                parts,
            )
        }
    };
    if parts == 1 {
        return vec![first];
    }
    let args = dot_join::DotJoin {
        from: pointer(scratch),
        to: pointer(to.address),
        t,
        e,
        parts,
    };
    let entry = entry(dot_join::ENTRIES, &format!("dot_join_{name}"));
    vec![first, Launch::blocks(entry, results, parts, each_result, args.pack())]
}
