//! Large products of floats, by the crate `matrixmultiply`.

use num_complex::Complex;

use super::host::{Block, Blocks, Matrices, Problem};
use super::lines::pack;
use super::wide::{Item, Wide};
use crate::host::parallel;

/// A matrix of numbers; strides in them.
#[derive(Clone, Copy)]
pub struct Dense<W> {
    at: *mut W,
    row: isize,
    column: isize,
}

/// Sets or, if told so, adds to the third matrix the product of the others. Extents are rows, inner, columns.
pub type Gemm<W> = unsafe fn([usize; 3], [Dense<W>; 3], bool);

/// Numbers whose matrices `matrixmultiply` multiplies.
pub trait Blas: Sized {
    /// # Safety
    /// The elements are there; those of the third matrix are nobody else's.
    unsafe fn gemm(extents: [usize; 3], matrices: [Dense<Self>; 3], add: bool);
}

macro_rules! blas {
    ($($t:ty: $gemm:ident($($flag:expr),*), $part:ty, |$x:ident| $number:expr;)*) => {$(
        impl Blas for $t {
            unsafe fn gemm([rows, inner, columns]: [usize; 3], [a, b, c]: [Dense<Self>; 3], add: bool) {
                let number = |$x: f32| $number;
                // SAFETY: by the caller's word.
                unsafe {
                    matrixmultiply::$gemm(
                        $($flag,)*
                        rows, inner, columns,
                        number(1.0),
                        a.at.cast::<$part>(), a.row, a.column,
                        b.at.cast::<$part>(), b.row, b.column,
                        number(if add { 1.0 } else { 0.0 }),
                        c.at.cast::<$part>(), c.row, c.column,
                    );
                }
            }
        }
    )*};
}
blas! {
    f32: sgemm(), f32, |x| x;
    f64: dgemm(), f64, |x| f64::from(x);
    Complex<f32>: cgemm(matrixmultiply::CGemmOption::Standard, matrixmultiply::CGemmOption::Standard), [f32; 2], |x| [x, 0.0];
    Complex<f64>: zgemm(matrixmultiply::CGemmOption::Standard, matrixmultiply::CGemmOption::Standard), [f64; 2], |x| [f64::from(x), 0.0];
}

/// Rows and columns of a block that one call computes: what it packs of the factors is then a small part of its work.
const ROWS: usize = 256;
const COLUMNS: usize = 512;

/// # Safety
/// As for [`multiply`](super::host::multiply).
pub(super) unsafe fn multiply<T: Item>(problem: &Problem, gemm: Gemm<T::Wide>) {
    let Problem {
        left,
        right,
        to,
        extents: e,
    } = problem;
    let dense = [left, right, to].map(dense::<T>);
    if let [Some(left), Some(right), Some(to)] = dense {
        let blocks = match parallel::threads() {
            1 => Blocks::of(*e, e.rows, e.columns),
            _ => Blocks::of(*e, ROWS, COLUMNS),
        };
        let matrices = Together([left, right, to]);
        return blocks.for_each(4, |_, range| {
            let Together([left, right, to]) = &matrices;
            for block in range.map(|number| blocks.get(number)) {
                let Block { matrix, rows, columns } = block;
                let matrices = [
                    left.part(matrix, rows.start, 0),
                    right.part(matrix, 0, columns.start),
                    to.part(matrix, rows.start, columns.start),
                ];
                // SAFETY: parts of the matrices; the one of the result is this iteration's.
                unsafe { gemm([rows.len(), e.inner, columns.len()], matrices, false) };
            }
        });
    }
    let blocks = Blocks::of(*e, packed::ROWS, packed::COLUMNS);
    blocks.for_each(4, |_, range| {
        let mut room = packed::Room::new();
        for number in range {
            // SAFETY: by the caller's word; each block is one iteration's.
            unsafe { packed::block::<T>(problem, &blocks.get(number), gemm, &mut room) };
        }
    });
}

/// A batch of matrices, with its distance in numbers.
#[derive(Clone, Copy)]
struct Batch<W> {
    first: Dense<W>,
    matrix: isize,
}

struct Together<W>([Batch<W>; 3]);

// SAFETY: pointers are addresses; those who dereference them answer for the access.
unsafe impl<W> Sync for Together<W> {}

impl<W> Batch<W> {
    /// From a position on.
    fn part(&self, matrix: usize, row: usize, column: usize) -> Dense<W> {
        let along = |k: usize, stride: isize| (k as isize).wrapping_mul(stride);
        let Dense {
            at,
            row: down,
            column: across,
        } = self.first;
        Dense {
            at: at
                .wrapping_offset(along(matrix, self.matrix))
                .wrapping_offset(along(row, down))
                .wrapping_offset(along(column, across)),
            ..self.first
        }
    }
}

/// Matrices that can be used where they are.
fn dense<T: Item>(of: &Matrices) -> Option<Batch<T::Wide>> {
    let size = size_of::<T>() as isize;
    let strides = [of.matrix, of.row, of.column];
    if !of.is_whole::<T>() || strides.iter().any(|stride| stride % size != 0) {
        return None;
    }
    let [matrix, row, column] = strides.map(|stride| stride / size);
    let at = of.at.cast();
    Some(Batch {
        first: Dense { at, row, column },
        matrix,
    })
}

/// Blocks whose factors are copied first: floats of 16 bits, complex numbers in planes.
mod packed {
    use super::*;

    pub const ROWS: usize = 128;
    pub const COLUMNS: usize = 256;
    /// Products of a result that are computed at once.
    const INNER: usize = 256;

    pub struct Room<W> {
        left: Vec<W>,
        right: Vec<W>,
        sums: Vec<W>,
    }

    impl<W: Wide> Room<W> {
        pub fn new() -> Room<W> {
            Room {
                left: Vec::new(),
                right: Vec::new(),
                sums: Vec::new(),
            }
        }
    }

    /// Copies lines of elements, each `line` bytes from the one before.
    ///
    /// # Safety
    /// They are there.
    unsafe fn copy<T: Item>(
        (from, line, stride, imaginary): (*const u8, isize, isize, isize),
        (lines, length): (usize, usize),
        to: &mut Vec<T::Wide>,
    ) {
        to.clear();
        to.reserve(lines * length);
        for (k, place) in to.spare_capacity_mut()[..lines * length]
            .chunks_exact_mut(length)
            .enumerate()
        {
            let from = from.wrapping_offset((k as isize).wrapping_mul(line));
            // SAFETY: by the caller's word.
            unsafe { pack::<T>(from, (stride, imaginary), place) };
        }
        // SAFETY: all of them were written.
        unsafe { to.set_len(lines * length) };
    }

    fn dense<W>(of: &mut [W], row: usize, column: usize) -> Dense<W> {
        Dense {
            at: of.as_mut_ptr(),
            row: row as isize,
            column: column as isize,
        }
    }

    /// # Safety
    /// As for [`multiply`](super::super::host::multiply); the block is nobody else's.
    pub unsafe fn block<T: Item>(problem: &Problem, block: &Block, gemm: Gemm<T::Wide>, room: &mut Room<T::Wide>) {
        let Problem {
            left,
            right,
            to,
            extents,
        } = problem;
        let Block { matrix, rows, columns } = block;
        let (height, width) = (rows.len(), columns.len());
        room.sums.clear();
        room.sums.resize(height * width, T::Wide::ZERO);
        for start in (0..extents.inner).step_by(INNER) {
            let depth = INNER.min(extents.inner - start);
            // Each in the order in which it lies.
            let by_rows = left.column.unsigned_abs() <= left.row.unsigned_abs();
            let from = left.element(*matrix, rows.start, start);
            let (line, stride, lines, length) = match by_rows {
                true => (left.row, left.column, height, depth),
                false => (left.column, left.row, depth, height),
            };
            // SAFETY: a part of the left matrix.
            unsafe { copy::<T>((from, line, stride, left.imaginary), (lines, length), &mut room.left) };
            let a = if by_rows {
                dense(&mut room.left, depth, 1)
            } else {
                dense(&mut room.left, 1, height)
            };
            let by_rows = right.column.unsigned_abs() <= right.row.unsigned_abs();
            let from = right.element(*matrix, start, columns.start);
            let (line, stride, lines, length) = match by_rows {
                true => (right.row, right.column, depth, width),
                false => (right.column, right.row, width, depth),
            };
            // SAFETY: a part of the right matrix.
            unsafe { copy::<T>((from, line, stride, right.imaginary), (lines, length), &mut room.right) };
            let b = if by_rows {
                dense(&mut room.right, width, 1)
            } else {
                dense(&mut room.right, 1, depth)
            };
            let c = dense(&mut room.sums, width, 1);
            // SAFETY: the copies have these extents.
            unsafe { gemm([height, depth, width], [a, b, c], true) };
        }
        for (i, sums) in rows.clone().zip(room.sums.chunks_exact(width)) {
            for (j, sum) in columns.clone().zip(sums) {
                // SAFETY: a result of the block.
                unsafe { T::store(*sum, to.element(*matrix, i, j), to.imaginary) };
            }
        }
    }
}
