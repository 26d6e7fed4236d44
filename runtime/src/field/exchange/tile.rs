//! The innermost loops of copies: two axes of scalars, copied or converted.

use std::mem::MaybeUninit;

use crate::field::exchange::strided::Axis;
use crate::field::exchange::transpose;
use crate::field::{ArrayScalar, Cast};
use crate::host::copy;

/// Bytes of the scalars that a tile holds, about.
const BYTES: usize = 16 << 10;
/// Lines that are shorter, or fewer, are copied where they are.
const LEAST: usize = 8;

type Run = unsafe fn(Axis, Axis, *mut u8, *const u8);

/// How rows of scalars are copied: as they are, or converted.
#[derive(Clone, Copy)]
pub(in crate::field) struct Tile {
    run: Run,
    /// The same, past the caches.
    large: Run,
    /// Size of what is copied as it is.
    word: Option<usize>,
    /// Side of the blocks that are transposed.
    pub side: usize,
    /// Scalars that it does well to take at once.
    pub scalars: usize,
    /// Operations that one takes, about.
    pub cost: usize,
}

/// Side of the blocks of words that are transposed in a buffer: whole cache lines on both sides, that stay in the first-level cache.
const fn side(size: usize) -> usize {
    match size {
        ..=4 => 64,
        5..=16 => 32,
        _ => 16,
    }
}

macro_rules! words {
    ($size:ident: $($n:literal $word:ty)*) => {
        match $size {
            // What lies between the members of a struct has no value: no integer, but a word that holds one perhaps.
            $($n => Some(Tile::of::<MaybeUninit<$word>, { side($n) }>()),)*
            _ => None,
        }
    };
}

impl Tile {
    /// Copies words of a size, if it is one of those that are compiled: all bits of a scalar, a vector or a small struct.
    pub fn word(size: usize) -> Option<Tile> {
        words! { size:
            1 u8 2 u16 3 [u8; 3] 4 u32 6 [u16; 3] 8 u64 12 [u32; 3] 16 [u64; 2] 20 [u32; 5] 24 [u64; 3] 28 [u32; 7] 32 [u64; 4]
            36 [u32; 9] 40 [u64; 5] 48 [u64; 6] 56 [u64; 7] 64 [u64; 8]
        }
    }

    /// Copies scalars of 1, 2, 4, 8 or 16 bytes.
    pub fn copying(size: usize) -> Tile {
        Tile::word(size).unwrap_or_else(Tile::of::<MaybeUninit<[u64; 2]>, { side(16) }>)
    }

    fn of<S: Copy, const SIDE: usize>() -> Tile {
        Tile {
            run: rows::<S, SIDE, false>,
            large: rows::<S, SIDE, true>,
            word: Some(size_of::<S>()),
            side: SIDE,
            scalars: (BYTES / size_of::<S>()).clamp(SIDE * SIDE / 4, 4096),
            cost: (size_of::<S>() / 2).max(3),
        }
    }

    /// The tile of words that consist of as many of its own, if it copies and there is one.
    pub fn widened(self, axis: Axis) -> Option<Tile> {
        let size = self.word?;
        let dense = axis.to == size as isize && axis.from == size as isize;
        Tile::word(size.checked_mul(axis.length)?).filter(|_| dense)
    }

    /// Converts scalars.
    pub fn casting<S: Cast<T>, T: ArrayScalar>() -> Tile {
        Tile {
            run: cast_rows::<S, T>,
            large: cast_rows::<S, T>,
            word: None,
            side: side(4),
            scalars: 4096,
            cost: 3,
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

unsafe fn rows<S: Copy, const SIDE: usize, const LARGE: bool>(row: Axis, inner: Axis, to: *mut u8, from: *const u8) {
    let size = size_of::<S>() as isize;
    let dense = inner.to == size && row.from == size;
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
        } else if dense && (2..=4).contains(&inner.length) {
            match inner.length {
                2 => gather::<S, 2>(row, inner.from, to, from),
                3 => gather::<S, 3>(row, inner.from, to, from),
                _ => gather::<S, 4>(row, inner.from, to, from),
            }
        } else if dense && (2..=4).contains(&row.length) {
            match row.length {
                2 => scatter::<S, 2>(inner, row.to, to, from),
                3 => scatter::<S, 3>(inner, row.to, to, from),
                _ => scatter::<S, 4>(inner, row.to, to, from),
            }
        } else if row.from.unsigned_abs() < inner.from.unsigned_abs() && row.length.min(inner.length) >= LEAST {
            if size_of::<S>() <= 8 || LARGE && inner.to == size {
                transpose::buffered::<S, SIDE, LARGE>(row, inner, to, from);
            } else {
                transpose::in_place::<S>(row, inner, to, from);
            }
        } else if LARGE && size <= 8 && inner.to == size && inner.from == -size {
            each(row, to, from, |to, from| through_buffer::<S>(inner, to, from));
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

/// Rows of `N` scalars, to as many arrays that are contiguous.
unsafe fn scatter<S: Copy, const N: usize>(inner: Axis, distance: isize, to: *mut u8, from: *const u8) {
    let targets: [*mut S; N] = std::array::from_fn(|k| to.wrapping_offset(k as isize * distance).cast());
    for k in 0..inner.length {
        let from = from.wrapping_offset(k as isize * inner.from);
        // SAFETY: by the caller's word.
        unsafe {
            let scalars = from.cast::<[S; N]>().read_unaligned();
            for (target, scalar) in targets.into_iter().zip(scalars) {
                target.add(k).write_unaligned(scalar);
            }
        }
    }
}

/// A row that is reversed, put in order in front of stores that go past the caches.
unsafe fn through_buffer<S: Copy>(axis: Axis, to: *mut u8, from: *const u8) {
    const LENGTH: usize = 256;
    let size = size_of::<S>();
    let mut buffer = [const { MaybeUninit::<S>::uninit() }; LENGTH];
    // Pieces then begin where cache lines do, if scalars do.
    let mut length = match to.align_offset(copy::LINE) / size {
        0 => LENGTH,
        lead => lead.min(LENGTH),
    };
    let mut first = 0;
    while first < axis.length {
        length = length.min(axis.length - first);
        let piece = Axis { length, ..axis };
        let from = from.wrapping_offset(first as isize * axis.from);
        let line = buffer.as_mut_ptr().cast::<u8>();
        // SAFETY: by the caller's word; the buffer has room for the piece.
        unsafe {
            convert(
                Axis {
                    to: size as isize,
                    ..piece
                },
                line,
                from,
                |value: S| value,
            );
            copy::stream(to.wrapping_add(first * size), line, length * size);
        }
        first += length;
        length = LENGTH;
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
pub(super) unsafe fn convert<S: Copy, T>(axis: Axis, to: *mut u8, from: *const u8, value: impl Fn(S) -> T) {
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
pub(super) fn each(row: Axis, to: *mut u8, from: *const u8, copy: impl Fn(*mut u8, *const u8)) {
    for k in 0..row.length as isize {
        copy(to.wrapping_offset(k * row.to), from.wrapping_offset(k * row.from));
    }
}
