//! The innermost loops of copies: two axes of scalars, copied or converted.

use std::mem::MaybeUninit;

use crate::field::exchange::strided::Axis;
use crate::field::{ArrayScalar, Cast};
use crate::host::copy;

/// Side of the blocks that are transposed in a buffer: whole cache lines on both sides, that stay in the first-level cache.
pub(in crate::field) const SIDE: usize = 64;

type Run = unsafe fn(Axis, Axis, *mut u8, *const u8);

/// How rows of scalars are copied: as they are, or converted.
#[derive(Clone, Copy)]
pub(in crate::field) struct Tile {
    run: Run,
    /// The same, past the caches.
    large: Run,
}

impl Tile {
    /// Copies scalars of 1, 2, 4, 8 or 16 bytes.
    pub fn copying(size: usize) -> Tile {
        // The bits of a scalar of any type are those of integers.
        match size {
            1 => Tile::of::<u8>(),
            2 => Tile::of::<u16>(),
            4 => Tile::of::<u32>(),
            8 => Tile::of::<u64>(),
            _ => Tile::of::<[u64; 2]>(),
        }
    }

    fn of<S: Copy>() -> Tile {
        Tile {
            run: rows::<S, false>,
            large: rows::<S, true>,
        }
    }

    /// Converts scalars.
    pub fn casting<S: Cast<T>, T: ArrayScalar>() -> Tile {
        Tile {
            run: cast_rows::<S, T>,
            large: cast_rows::<S, T>,
        }
    }

    /// The tile for arrays that are larger than the caches: after the last one of a thread comes a [`copy::fence`].
    pub fn for_large(self) -> Tile {
        Tile {
            run: self.large,
            ..self
        }
    }

    /// Copies all positions of two axes.
    ///
    /// # Safety
    /// All of them are scalars of the tile's types, those written are distinct from one another and from those read, and nobody else
    /// accesses them.
    #[inline]
    pub unsafe fn run(self, row: Axis, inner: Axis, to: *mut u8, from: *const u8) {
        // SAFETY: by the caller's word.
        unsafe { (self.run)(row, inner, to, from) }
    }
}

unsafe fn rows<S: Copy, const LARGE: bool>(row: Axis, inner: Axis, to: *mut u8, from: *const u8) {
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
                    copy_row::<LARGE>(to, from, length * size_of::<S>());
                }),
            }
        } else if inner.to == size && row.from == size {
            match inner.length {
                2 => gather::<S, 2>(row, inner.from, to, from),
                3 => gather::<S, 3>(row, inner.from, to, from),
                4 => gather::<S, 4>(row, inner.from, to, from),
                _ => transpose::<S, LARGE>(row, inner, to, from),
            }
        } else {
            each(row, to, from, |to, from| convert(inner, to, from, |value: S| value));
        }
    }
}

#[inline(always)]
unsafe fn copy_row<const LARGE: bool>(to: *mut u8, from: *const u8, bytes: usize) {
    // SAFETY: by the caller's word.
    unsafe {
        if LARGE {
            copy::stream(to, from, bytes);
        } else {
            std::ptr::copy_nonoverlapping(from, to, bytes);
        }
    }
}

unsafe fn short_rows<B: Copy>(row: Axis, to: *mut u8, from: *const u8) {
    each(row, to, from, |to, from| {
        // SAFETY: by the caller's word.
        unsafe { to.cast::<B>().write_unaligned(from.cast::<B>().read_unaligned()) }
    });
}

/// Rows of `N` scalars, from as many arrays that are contiguous.
unsafe fn gather<S: Copy, const N: usize>(row: Axis, distance: isize, to: *mut u8, from: *const u8) {
    let sources: [*const S; N] = std::array::from_fn(|k| from.wrapping_offset(k as isize * distance).cast());
    for k in 0..row.length {
        let to = to.wrapping_offset(k as isize * row.to);
        // SAFETY: by the caller's word.
        unsafe {
            to.cast::<[S; N]>()
                .write_unaligned(sources.map(|source| source.add(k).read_unaligned()))
        }
    }
}

/// Transposes blocks, each through a buffer: rows of both arrays then come in whole cache lines, where lines of many rows
/// would displace one another if their distance is a power of two.
#[allow(clippy::needless_range_loop)]
unsafe fn transpose<S: Copy, const LARGE: bool>(row: Axis, inner: Axis, to: *mut u8, from: *const u8) {
    let mut buffer = [[const { MaybeUninit::<S>::uninit() }; SIDE]; SIDE];
    for first in (0..inner.length).step_by(SIDE) {
        let height = SIDE.min(inner.length - first);
        for start in (0..row.length).step_by(SIDE) {
            let width = SIDE.min(row.length - start);
            let to = to.wrapping_offset(first as isize * inner.to + start as isize * row.to);
            let from = from.wrapping_offset(first as isize * inner.from + start as isize * row.from);
            // SAFETY: by the caller's word; `width` and `height` are at most `SIDE`.
            unsafe {
                for (k, line) in buffer[..height].iter_mut().enumerate() {
                    let from = from.wrapping_offset(k as isize * inner.from).cast::<u8>();
                    std::ptr::copy_nonoverlapping(from, line.as_mut_ptr().cast(), width * size_of::<S>());
                }
                for k in 0..width {
                    let to = to.wrapping_offset(k as isize * row.to);
                    // With a length that the compiler knows, what is stale in the buffer is moved along.
                    let column: [MaybeUninit<S>; SIDE] = std::array::from_fn(|line| buffer[line][k]);
                    copy_row::<LARGE>(to, column.as_ptr().cast(), height * size_of::<S>());
                }
            }
        }
    }
}

unsafe fn cast_rows<S: Cast<T>, T: ArrayScalar>(row: Axis, inner: Axis, to: *mut u8, from: *const u8) {
    each(row, to, from, |to, from| {
        // SAFETY: by the caller's word.
        unsafe { convert(inner, to, from, |value: S| value.cast()) }
    });
}

/// One loop for each kind of distances, since those that the compiler knows let it use vectors.
#[inline(always)]
unsafe fn convert<S: Copy, T>(axis: Axis, to: *mut u8, from: *const u8, value: impl Fn(S) -> T) {
    let (dense_to, dense_from) = (size_of::<T>() as isize, size_of::<S>() as isize);
    let run = |to_step: isize, from_step: isize| {
        for k in 0..axis.length as isize {
            // SAFETY: by the caller's word.
            unsafe {
                let scalar = from.wrapping_offset(k * from_step).cast::<S>().read_unaligned();
                to.wrapping_offset(k * to_step)
                    .cast::<T>()
                    .write_unaligned(value(scalar));
            }
        }
    };
    match (axis.to == dense_to, axis.from) {
        (true, from) if from == dense_from => run(dense_to, dense_from),
        (true, from) if from == -dense_from => run(dense_to, -dense_from),
        (true, from) => run(dense_to, from),
        (false, from) => run(axis.to, from),
    }
}

#[inline(always)]
fn each(row: Axis, to: *mut u8, from: *const u8, copy: impl Fn(*mut u8, *const u8)) {
    for k in 0..row.length as isize {
        copy(to.wrapping_offset(k * row.to), from.wrapping_offset(k * row.from));
    }
}
