//! Copies between arrays with any strides.

use crate::field::exchange::tile::Tile;
use crate::host::SendPtr;
use crate::host::cache::is_large;
use crate::host::{copy, parallel};

/// An axis of so few positions is taken inside of the tiles of two longer ones.
const SHORT: usize = 16;
/// Operations of the tiles that are handed out together: so many that threads get them without a look at the first ones.
const TOGETHER: usize = 16 << 10;

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
pub(in crate::field) unsafe fn copy(tile: Tile, mut axes: Vec<Axis>, mut to: *mut u8, mut from: *const u8) {
    if axes.iter().any(|axis| axis.length == 0) {
        return;
    }
    for axis in axes.iter_mut().filter(|axis| axis.to < 0 && axis.length > 1) {
        // From the other end, the array written is not reversed.
        let last = (axis.length - 1) as isize;
        to = to.wrapping_offset(last * axis.to);
        from = from.wrapping_offset(last * axis.from);
        (axis.to, axis.from) = (-axis.to, -axis.from);
    }
    let mut axes = simplify(axes);
    let mut tile = tile;
    if let Some(wide) = axes.last().and_then(|inner| tile.widened(*inner)) {
        // Components of vectors, whole structs: one scalar more, and an axis less.
        axes.pop();
        tile = wide;
    }
    // SAFETY: by the caller's word, since the simpler axes describe the same positions.
    unsafe { tiled(tile, axes, to, from) }
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

/// Takes out a short axis beside two longer ones of which neighbours of one array lie along the one, those of the other along the other:
/// components of elements that are transposed.
fn short_axis(axes: &mut Vec<Axis>) -> Axis {
    let near = |axis: &Axis| axis.to.unsigned_abs().min(axis.from.unsigned_abs());
    let long = || axes.iter().enumerate().filter(|(_, axis)| axis.length > SHORT);
    let written = long().min_by_key(|(_, axis)| axis.to.unsigned_abs());
    let read = long().min_by_key(|(_, axis)| axis.from.unsigned_abs());
    let transposed = matches!((written, read), (Some((w, _)), Some((r, _))) if w != r);
    let short = (0..axes.len()).filter(|k| transposed && axes[*k].length <= SHORT);
    match short.min_by_key(|k| near(&axes[*k])) {
        Some(k) => axes.remove(k),
        None => Axis::ONE,
    }
}

unsafe fn tiled(tile: Tile, mut axes: Vec<Axis>, to: *mut u8, from: *const u8) {
    let short = short_axis(&mut axes);
    let (side_of_blocks, scalars) = (tile.side, tile.scalars);
    let inner = axes.pop().unwrap_or(Axis::ONE);
    let nearest = (0..axes.len()).rev().min_by_key(|k| axes[*k].from.unsigned_abs());
    let nearest = nearest.filter(|k| axes[*k].from.unsigned_abs() < inner.from.unsigned_abs());
    let (row, rows_per_tile, per_row) = match nearest {
        Some(k) => {
            let side = |other: usize| match other < side_of_blocks {
                true => (scalars / other).max(side_of_blocks),
                false => side_of_blocks,
            };
            let (rows, per_row) = (side(inner.length), side(axes[k].length));
            (axes.remove(k), rows, per_row)
        }
        None => {
            let per_row = inner.length.min(scalars);
            (axes.pop().unwrap_or(Axis::ONE), scalars / per_row, per_row)
        }
    };
    // Cut so that blocks begin where cache lines do, if the rows agree in that.
    let lead = match nearest {
        Some(_) if inner.to > 0 => to.align_offset(copy::LINE) / inner.to.unsigned_abs() % per_row,
        _ => 0,
    };
    let skew = if lead == 0 { 0 } else { per_row - lead };
    let columns = (inner.length + skew).div_ceil(per_row);
    let rows = row.length.div_ceil(rows_per_tile);
    let tiles = axes.iter().fold(rows * columns, |n, axis| n * axis.length);
    let words = per_row.min(inner.length) * rows_per_tile.min(row.length) * short.length;
    let cost = words.saturating_mul(tile.cost).max(1);
    let together = TOGETHER.div_ceil(cost);
    let cost = u32::try_from(cost.saturating_mul(together)).ok();
    let bytes = [inner, row, short]
        .iter()
        .chain(&axes)
        .fold(inner.to.unsigned_abs(), |n, axis| n.saturating_mul(axis.length));
    let large = is_large(bytes);
    let tile = if large { tile.for_large() } else { tile };
    let (to, from) = (SendPtr::new(to), SendPtr::new(from.cast_mut()));
    parallel::for_each(tiles.div_ceil(together), cost, |range| {
        for k in range.start * together..tiles.min(range.end * together) {
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
            for k in 0..short.length as isize {
                let (to, from) = (to.wrapping_offset(k * short.to), from.wrapping_offset(k * short.from));
                // SAFETY: these are positions of the arrays.
                unsafe { tile.run(row, inner, to, from) };
            }
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
