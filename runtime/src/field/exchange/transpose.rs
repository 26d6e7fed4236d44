//! Two axes of words that are neighbours in the one array along the one, in the other along the other.

use std::mem::MaybeUninit;

use crate::field::exchange::strided::Axis;
use crate::field::exchange::tile::{convert, each};
use crate::host::copy;

/// Transposes blocks of words that are a good part of a cache line, where they are.
///
/// # Safety
/// As for [`Tile::run`](super::tile::Tile::run).
pub(super) unsafe fn in_place<S: Copy>(row: Axis, inner: Axis, to: *mut u8, from: *const u8) {
    let side = if size_of::<S>() < 16 { 16 } else { 8 };
    for start in (0..row.length).step_by(side) {
        for first in (0..inner.length).step_by(side) {
            let length = side.min(row.length - start);
            let block = Axis { length, ..row };
            let to = to.wrapping_offset(first as isize * inner.to + start as isize * row.to);
            let from = from.wrapping_offset(first as isize * inner.from + start as isize * row.from);
            let length = side.min(inner.length - first);
            let inner = Axis { length, ..inner };
            // SAFETY: by the caller's word.
            each(block, to, from, |to, from| unsafe {
                convert(inner, to, from, |value: S| value)
            });
        }
    }
}

/// Transposes blocks, each through a buffer: rows of both arrays then come in whole cache lines, where lines of many rows
/// would displace one another if their distance is a power of two.
///
/// # Safety
/// As for [`Tile::run`](super::tile::Tile::run).
pub(super) unsafe fn buffered<S: Copy, const SIDE: usize, const LARGE: bool>(
    row: Axis,
    inner: Axis,
    to: *mut u8,
    from: *const u8,
) {
    let size = size_of::<S>() as isize;
    let mut buffer = [[const { MaybeUninit::<S>::uninit() }; SIDE]; SIDE];
    for first in (0..inner.length).step_by(SIDE) {
        let height = SIDE.min(inner.length - first);
        for start in (0..row.length).step_by(SIDE) {
            let width = SIDE.min(row.length - start);
            let to = to.wrapping_offset(first as isize * inner.to + start as isize * row.to);
            let from = from.wrapping_offset(first as isize * inner.from + start as isize * row.from);
            for (k, line) in buffer[..height].iter_mut().enumerate() {
                let from = from.wrapping_offset(k as isize * inner.from);
                // SAFETY: by the caller's word; `width` is at most `SIDE`.
                unsafe { load(line, width, row.from, from) };
            }
            for k in 0..width {
                let to = to.wrapping_offset(k as isize * row.to);
                // With numbers that the compiler knows, it takes many scalars at once.
                // SAFETY: by the caller's word; `height` is at most `SIDE`, and so many lines are loaded.
                unsafe {
                    match (height == SIDE, inner.to == size) {
                        (true, true) => store::<S, SIDE, LARGE>(&buffer, k, SIDE, size, to),
                        (false, true) => store::<S, SIDE, LARGE>(&buffer, k, height, size, to),
                        (_, false) => store::<S, SIDE, false>(&buffer, k, height, inner.to, to),
                    }
                }
            }
        }
    }
}

/// # Safety
/// `from` has `width` scalars, at most `SIDE`, at the distance.
#[inline(always)]
unsafe fn load<S: Copy, const SIDE: usize>(
    line: &mut [MaybeUninit<S>; SIDE],
    width: usize,
    distance: isize,
    from: *const u8,
) {
    let size = size_of::<S>() as isize;
    let line = line.as_mut_ptr();
    // SAFETY: by the caller's word.
    unsafe {
        if width == SIDE && distance == size {
            line.cast::<[S; SIDE]>()
                .write_unaligned(from.cast::<[S; SIDE]>().read_unaligned());
        } else {
            let axis = Axis {
                length: width,
                to: size,
                from: distance,
            };
            convert(axis, line.cast(), from, |value: S| value);
        }
    }
}

/// # Safety
/// The first `height` lines of the buffer are loaded up to column `k`, and `to` has room for as many scalars at the distance.
#[inline(always)]
#[allow(clippy::needless_range_loop)]
unsafe fn store<S: Copy, const SIDE: usize, const LARGE: bool>(
    buffer: &[[MaybeUninit<S>; SIDE]; SIDE],
    k: usize,
    height: usize,
    distance: isize,
    to: *mut u8,
) {
    let mut column = [const { MaybeUninit::<S>::uninit() }; SIDE];
    for line in 0..height {
        if LARGE {
            column[line] = buffer[line][k];
        } else {
            let to = to.wrapping_offset(line as isize * distance).cast::<MaybeUninit<S>>();
            // SAFETY: by the caller's word.
            unsafe { to.write_unaligned(buffer[line][k]) };
        }
    }
    if LARGE {
        // SAFETY: by the caller's word; what goes past the caches is contiguous.
        unsafe { copy::stream(to, column.as_ptr().cast(), height * size_of::<S>()) };
    }
}
