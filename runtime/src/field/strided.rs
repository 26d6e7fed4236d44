//! Copies between arrays with any strides.

use crate::cpu::memory::SendPtr;
use crate::cpu::parallel;

/// Scalars that a tile of a row-wise copy holds, about.
const TILE: usize = 4096;
/// Side of the tiles of a transposing copy: both sides' cache lines stay in the first-level cache.
const SIDE: usize = 32;

#[derive(Clone, Copy)]
struct Axis {
    length: usize,
    to: isize,
    from: isize,
}

/// Copies an array of scalars of `size` (1, 2, 4 or 8) bytes; strides are in bytes.
///
/// # Safety
/// Every position of `shape` is a valid scalar of both arrays, aligned to its size. Those of `to` are distinct from one another and from those of `from`, and
/// nobody else accesses them.
pub(super) unsafe fn copy(
    size: usize,
    shape: &[usize],
    (to, to_strides): (*mut u8, &[isize]),
    (from, from_strides): (*const u8, &[isize]),
) {
    if shape.contains(&0) {
        return;
    }
    let axes = (0..shape.len()).map(|k| Axis {
        length: shape[k],
        to: to_strides[k],
        from: from_strides[k],
    });
    let axes = simplify(axes.filter(|axis| axis.length > 1).collect());
    // SAFETY: by the caller's word, since the axes describe the same positions. The bits of a scalar of any type are
    // those of an integer.
    unsafe {
        match size {
            1 => tiled::<u8>(axes, to, from),
            2 => tiled::<u16>(axes, to, from),
            4 => tiled::<u32>(axes, to, from),
            _ => tiled::<u64>(axes, to, from),
        }
    }
}

/// Sorts the axes by the stride of the array written, and joins those that are one axis to both arrays.
fn simplify(mut axes: Vec<Axis>) -> Vec<Axis> {
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

unsafe fn tiled<S: Copy>(mut axes: Vec<Axis>, to: *mut u8, from: *const u8) {
    let one = Axis {
        length: 1,
        to: 0,
        from: 0,
    };
    let inner = axes.pop().unwrap_or(one);
    let nearest = (0..axes.len()).rev().min_by_key(|k| axes[*k].from.unsigned_abs());
    let (row, rows_per_tile, per_row) = match nearest {
        Some(k) if axes[k].from.unsigned_abs() < inner.from.unsigned_abs() => (axes.remove(k), SIDE, SIDE),
        _ => {
            let per_row = inner.length.min(TILE);
            (axes.pop().unwrap_or(one), TILE / per_row, per_row)
        }
    };
    let columns = inner.length.div_ceil(per_row);
    let rows = row.length.div_ceil(rows_per_tile);
    let tiles = axes.iter().fold(rows * columns, |n, axis| n * axis.length);
    let cost = 3 * per_row.min(inner.length) * rows_per_tile.min(row.length);
    let (to, from) = (SendPtr::new(to), SendPtr::new(from.cast_mut()));
    parallel::for_each(tiles, u32::try_from(cost).ok(), |range| {
        for tile in range {
            let (first, mut rest) = (tile % columns * per_row, tile / columns);
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
            let length = per_row.min(inner.length - first);
            for k in 0..rows_per_tile.min(row.length - first_row) as isize {
                // SAFETY: these are positions of the arrays.
                unsafe {
                    run::<S>(
                        length,
                        to.wrapping_offset(k * row.to),
                        inner.to,
                        from.wrapping_offset(k * row.from),
                        inner.from,
                    );
                }
            }
        }
    });
}

#[inline(always)]
unsafe fn run<S: Copy>(length: usize, to: *mut u8, to_stride: isize, from: *const u8, from_stride: isize) {
    let size = size_of::<S>() as isize;
    if to_stride == size && from_stride == size && length > 8 {
        // SAFETY: by the caller's word.
        return unsafe { std::ptr::copy_nonoverlapping(from.cast::<S>(), to.cast(), length) };
    }
    for k in 0..length as isize {
        // SAFETY: by the caller's word.
        unsafe {
            let value = from.wrapping_offset(k * from_stride).cast::<S>().read();
            to.wrapping_offset(k * to_stride).cast::<S>().write(value);
        }
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
