//! Copies between arrays with any strides.

use crate::field::exchange::tile::{SIDE, Tile};
use crate::host::SendPtr;
use crate::host::cache::is_large;
use crate::host::{copy, parallel};

/// Scalars that a tile holds, about.
const TILE: usize = 4096;
/// Bytes of a cache line.
const LINE: usize = 64;

/// An axis of two arrays; strides are in bytes.
#[derive(Clone, Copy, Debug)]
pub(in crate::field) struct Axis {
    pub length: usize,
    pub to: isize,
    pub from: isize,
}

impl Axis {
    pub const ONE: Axis = Axis {
        length: 1,
        to: 0,
        from: 0,
    };
}

/// Copies an array of scalars.
///
/// # Safety
/// As for [`Tile::run`], of all positions of the axes.
pub(in crate::field) unsafe fn copy(tile: Tile, axes: Vec<Axis>, to: *mut u8, from: *const u8) {
    if axes.iter().any(|axis| axis.length == 0) {
        return;
    }
    // SAFETY: by the caller's word, since the simpler axes describe the same positions.
    unsafe { tiled(tile, simplify(axes), to, from) }
}

/// Sorts the axes by the stride of the array written, and joins those that are one axis to both arrays.
pub(in crate::field) fn simplify(mut axes: Vec<Axis>) -> Vec<Axis> {
    axes.retain(|axis| axis.length != 1);
    axes.sort_by_key(|axis| std::cmp::Reverse((axis.to.unsigned_abs(), axis.from.unsigned_abs())));
    let mut joined: Vec<Axis> = Vec::with_capacity(axes.len());
    for inner in axes {
        match joined.last_mut() {
            Some(outer)
                if inner.to.checked_mul(inner.length as isize) == Some(outer.to)
                    && inner.from.checked_mul(inner.length as isize) == Some(outer.from) =>
            {
                *outer = Axis {
                    length: outer.length * inner.length,
                    ..inner
                };
            }
            _ => joined.push(inner),
        }
    }
    joined
}

unsafe fn tiled(tile: Tile, mut axes: Vec<Axis>, to: *mut u8, from: *const u8) {
    let inner = axes.pop().unwrap_or(Axis::ONE);
    let nearest = (0..axes.len()).rev().min_by_key(|k| axes[*k].from.unsigned_abs());
    let nearest = nearest.filter(|k| axes[*k].from.unsigned_abs() < inner.from.unsigned_abs());
    let (row, rows_per_tile, per_row) = match nearest {
        Some(k) => {
            let side = |other: usize| if other < SIDE { TILE / other } else { SIDE };
            let (rows, per_row) = (side(inner.length), side(axes[k].length));
            (axes.remove(k), rows, per_row)
        }
        None => {
            let per_row = inner.length.min(TILE);
            (axes.pop().unwrap_or(Axis::ONE), TILE / per_row, per_row)
        }
    };
    // Cut so that blocks begin where cache lines do, if the rows agree in that.
    let lead = match nearest {
        Some(_) if inner.to > 0 => to.align_offset(LINE) / inner.to.unsigned_abs() % per_row,
        _ => 0,
    };
    let skew = if lead == 0 { 0 } else { per_row - lead };
    let columns = (inner.length + skew).div_ceil(per_row);
    let rows = row.length.div_ceil(rows_per_tile);
    let tiles = axes.iter().fold(rows * columns, |n, axis| n * axis.length);
    let cost = 3 * per_row.min(inner.length) * rows_per_tile.min(row.length);
    let bytes = [inner, row]
        .iter()
        .chain(&axes)
        .fold(inner.to.unsigned_abs(), |n, axis| n.saturating_mul(axis.length));
    let large = is_large(bytes);
    let tile = if large { tile.for_large() } else { tile };
    let (to, from) = (SendPtr::new(to), SendPtr::new(from.cast_mut()));
    parallel::for_each(tiles, u32::try_from(cost).ok(), |range| {
        for k in range {
            // One tile after the other along the array that is read, whose next lines the processor then fetches early.
            let (first, first_row, mut rest) = match nearest {
                Some(_) => (k / rows % columns, k % rows, k / rows / columns),
                None => (k % columns, k / columns % rows, k / columns / rows),
            };
            let end = ((first + 1) * per_row - skew).min(inner.length);
            let (first, first_row) = ((first * per_row).saturating_sub(skew), first_row * rows_per_tile);
            let mut to = to
                .get()
                .wrapping_offset(first as isize * inner.to + first_row as isize * row.to);
            let mut from = from
                .get()
                .wrapping_offset(first as isize * inner.from + first_row as isize * row.from);
            for axis in axes.iter().rev() {
                let k = (rest % axis.length) as isize;
                rest /= axis.length;
                to = to.wrapping_offset(k * axis.to);
                from = from.wrapping_offset(k * axis.from);
            }
            let row = Axis {
                length: rows_per_tile.min(row.length - first_row),
                ..row
            };
            let inner = Axis {
                length: end - first,
                ..inner
            };
            // SAFETY: these are positions of the arrays.
            unsafe { tile.run(row, inner, to, from) };
        }
        if large {
            copy::fence();
        }
    });
}

/// Strides of parts of `size`, of strides in units of that size. They may wrap: an axis with one position or none has an arbitrary
/// stride, which nobody takes a step of.
pub(in crate::field) fn scaled(strides: &[isize], size: usize) -> Vec<isize> {
    strides
        .iter()
        .map(|stride| stride.wrapping_mul(size as isize))
        .collect()
}

/// Byte strides of a row-major array without gaps.
pub(in crate::field) fn row_major(shape: &[usize], size: usize) -> Vec<isize> {
    let mut strides = vec![size as isize; shape.len()];
    for k in (1..shape.len()).rev() {
        // Beside an axis of length 0 others may be of any.
        strides[k - 1] = strides[k].wrapping_mul(shape[k] as isize);
    }
    strides
}

/// Calls `see` with first position and extent of blocks that together are the shape. A block has at most `limit`
/// elements, lies without gaps in a row-major array, and comes in the order of that.
pub(in crate::field) fn blocks<E>(
    shape: &[usize],
    limit: usize,
    mut see: impl FnMut(&[usize], &[usize]) -> Result<(), E>,
) -> Result<(), E> {
    if shape.contains(&0) {
        return Ok(());
    }
    let mut cut = shape.len();
    let mut inner = 1;
    while cut > 0 && inner * shape[cut - 1] <= limit {
        cut -= 1;
        inner *= shape[cut];
    }
    let mut extent = shape.to_vec();
    let mut start = vec![0; shape.len()];
    if cut == 0 {
        return see(&start, &extent);
    }
    extent[..cut].fill(1);
    let step = (limit / inner).max(1);
    loop {
        extent[cut - 1] = step.min(shape[cut - 1] - start[cut - 1]);
        see(&start, &extent)?;
        start[cut - 1] += extent[cut - 1];
        let mut axis = cut - 1;
        while start[axis] == shape[axis] {
            if axis == 0 {
                return Ok(());
            }
            start[axis] = 0;
            axis -= 1;
            start[axis] += 1;
        }
    }
}
