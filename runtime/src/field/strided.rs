//! Copies between arrays with any strides.

use crate::cpu::memory::SendPtr;
use crate::cpu::parallel;
use crate::dtype::{ArrayScalar, Cast};

/// Scalars that a tile of a row-wise copy holds, about.
const TILE: usize = 4096;
/// Side of the tiles of a transposing copy: both sides' cache lines stay in the first-level cache.
const SIDE: usize = 32;

/// An axis of two arrays; strides are in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
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

/// How rows of scalars are copied: as they are, or converted.
#[derive(Clone, Copy)]
pub(super) struct Tile(unsafe fn(Axis, Axis, *mut u8, *const u8));

impl Tile {
    /// Copies scalars of 1, 2, 4, 8 or 16 bytes.
    pub fn copying(size: usize) -> Tile {
        // The bits of a scalar of any type are those of integers.
        Tile(match size {
            1 => rows::<u8>,
            2 => rows::<u16>,
            4 => rows::<u32>,
            8 => rows::<u64>,
            _ => rows::<[u64; 2]>,
        })
    }

    /// Converts scalars.
    pub fn casting<S: Cast<T>, T: ArrayScalar>() -> Tile {
        Tile(cast_rows::<S, T>)
    }

    /// Copies all positions of two axes.
    ///
    /// # Safety
    /// All of them are scalars of the tile's types, those written are distinct from one another and from those read, and nobody else
    /// accesses them.
    #[inline]
    pub unsafe fn run(self, row: Axis, inner: Axis, to: *mut u8, from: *const u8) {
        // SAFETY: by the caller's word.
        unsafe { self.0(row, inner, to, from) }
    }
}

/// Copies an array of scalars.
///
/// # Safety
/// As for [`Tile::run`], of all positions of the axes.
pub(super) unsafe fn copy(tile: Tile, axes: Vec<Axis>, to: *mut u8, from: *const u8) {
    if axes.iter().any(|axis| axis.length == 0) {
        return;
    }
    // SAFETY: by the caller's word, since the simpler axes describe the same positions.
    unsafe { tiled(tile, simplify(axes), to, from) }
}

/// Sorts the axes by the stride of the array written, and joins those that are one axis to both arrays.
pub(super) fn simplify(mut axes: Vec<Axis>) -> Vec<Axis> {
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
    let (row, rows_per_tile, per_row) = match nearest {
        Some(k) if axes[k].from.unsigned_abs() < inner.from.unsigned_abs() => (axes.remove(k), SIDE, SIDE),
        _ => {
            let per_row = inner.length.min(TILE);
            (axes.pop().unwrap_or(Axis::ONE), TILE / per_row, per_row)
        }
    };
    let columns = inner.length.div_ceil(per_row);
    let rows = row.length.div_ceil(rows_per_tile);
    let tiles = axes.iter().fold(rows * columns, |n, axis| n * axis.length);
    let cost = 3 * per_row.min(inner.length) * rows_per_tile.min(row.length);
    let (to, from) = (SendPtr::new(to), SendPtr::new(from.cast_mut()));
    parallel::for_each(tiles, u32::try_from(cost).ok(), |range| {
        for k in range {
            let (first, mut rest) = (k % columns * per_row, k / columns);
            let (first_row, others) = (rest % rows * rows_per_tile, rest / rows);
            rest = others;
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
                length: per_row.min(inner.length - first),
                ..inner
            };
            // SAFETY: these are positions of the arrays.
            unsafe { tile.run(row, inner, to, from) };
        }
    });
}

unsafe fn rows<S: Copy>(row: Axis, inner: Axis, to: *mut u8, from: *const u8) {
    let size = size_of::<S>() as isize;
    // SAFETY: by the caller's word.
    unsafe {
        if inner.to == size && inner.from == size {
            match inner.length {
                // Components of vectors: a call of `memcpy` would take longer than the copy.
                2 => short_rows::<[S; 2]>(row, to, from),
                3 => short_rows::<[S; 3]>(row, to, from),
                4 => short_rows::<[S; 4]>(row, to, from),
                length => each(row, to, from, |to, from| {
                    std::ptr::copy_nonoverlapping(from, to, length * size_of::<S>());
                }),
            }
        } else {
            each(row, to, from, |to, from| {
                for k in 0..inner.length as isize {
                    let value = from.wrapping_offset(k * inner.from).cast::<S>().read_unaligned();
                    to.wrapping_offset(k * inner.to).cast::<S>().write_unaligned(value);
                }
            });
        }
    }
}

unsafe fn short_rows<B: Copy>(row: Axis, to: *mut u8, from: *const u8) {
    each(row, to, from, |to, from| {
        // SAFETY: by the caller's word.
        unsafe { to.cast::<B>().write_unaligned(from.cast::<B>().read_unaligned()) }
    });
}

unsafe fn cast_rows<S: Cast<T>, T: ArrayScalar>(row: Axis, inner: Axis, to: *mut u8, from: *const u8) {
    each(row, to, from, |to, from| {
        for k in 0..inner.length as isize {
            // SAFETY: by the caller's word.
            unsafe {
                let value = from.wrapping_offset(k * inner.from).cast::<S>().read_unaligned();
                to.wrapping_offset(k * inner.to)
                    .cast::<T>()
                    .write_unaligned(value.cast());
            }
        }
    });
}

#[inline(always)]
fn each(row: Axis, to: *mut u8, from: *const u8, copy: impl Fn(*mut u8, *const u8)) {
    for k in 0..row.length as isize {
        copy(to.wrapping_offset(k * row.to), from.wrapping_offset(k * row.from));
    }
}

/// Byte strides of a row-major array without gaps.
pub(super) fn row_major(shape: &[usize], size: usize) -> Vec<isize> {
    let mut strides = vec![size as isize; shape.len()];
    for k in (1..shape.len()).rev() {
        strides[k - 1] = strides[k] * shape[k] as isize;
    }
    strides
}

/// Calls `see` with first position and extent of blocks that together are the shape. A block has at most `limit`
/// elements, lies without gaps in a row-major array, and comes in the order of that.
pub(super) fn blocks<E>(
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
