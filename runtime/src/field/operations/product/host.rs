//! Products in the host's memory: which form a product gets.

use std::ops::Range;

use super::wide::{Item, Wide};
use super::{gemm, lines, sums};
use crate::host::parallel;
use crate::versions::{Begins, Target, Version};

/// Code for several instruction sets: not in builds with debug assertions.
pub(super) const VERSIONS: bool = !cfg!(debug_assertions);

/// Rows of a factor that is thin.
pub(super) const THIN: usize = 8;

/// Where the elements of a batch of matrices lie; strides in bytes.
#[derive(Clone, Copy)]
pub struct Matrices {
    pub at: *mut u8,
    pub matrix: isize,
    pub row: isize,
    pub column: isize,
    /// From a real part to the imaginary one.
    pub imaginary: isize,
}

impl Matrices {
    #[inline(always)]
    pub fn element(&self, matrix: usize, row: usize, column: usize) -> *mut u8 {
        let along = |k: usize, stride: isize| (k as isize).wrapping_mul(stride);
        self.at
            .wrapping_offset(along(matrix, self.matrix))
            .wrapping_offset(along(row, self.row))
            .wrapping_offset(along(column, self.column))
    }

    fn transposed(self) -> Matrices {
        Matrices {
            row: self.column,
            column: self.row,
            ..self
        }
    }

    /// Whether elements are whole, as they are computed with.
    pub fn is_whole<T: Item>(&self) -> bool {
        T::SAME && self.is_joined::<T>()
    }

    /// Whether elements are whole: imaginary parts follow real ones.
    pub fn is_joined<T: Item>(&self) -> bool {
        !T::COMPLEX || self.imaginary == size_of::<T>() as isize / 2
    }
}

/// `batch` matrices of `rows` by `inner`, times as many of `inner` by `columns`.
#[derive(Clone, Copy, Debug)]
pub struct Extents {
    pub batch: usize,
    pub rows: usize,
    pub inner: usize,
    pub columns: usize,
}

impl Extents {
    /// Products of one matrix.
    fn work(&self) -> usize {
        self.rows.saturating_mul(self.inner).saturating_mul(self.columns)
    }
}

/// A product to be computed.
#[derive(Clone, Copy)]
pub struct Problem {
    pub left: Matrices,
    pub right: Matrices,
    pub to: Matrices,
    pub extents: Extents,
}

// SAFETY: pointers are addresses; those who dereference them answer for the access.
unsafe impl Send for Problem {}
// SAFETY: as above.
unsafe impl Sync for Problem {}

impl Problem {
    /// The same result, as the product of the transposes.
    fn transposed(self) -> Problem {
        let Extents { rows, columns, .. } = self.extents;
        Problem {
            left: self.right.transposed(),
            right: self.left.transposed(),
            to: self.to.transposed(),
            extents: Extents {
                rows: columns,
                columns: rows,
                ..self.extents
            },
        }
    }
}

/// Parts of a result, of all matrices: blocks of so many rows and columns.
#[derive(Clone, Copy)]
pub(super) struct Blocks {
    extents: Extents,
    rows: usize,
    columns: usize,
}

/// A block of a result.
pub(super) struct Block {
    pub matrix: usize,
    pub rows: Range<usize>,
    pub columns: Range<usize>,
}

impl Blocks {
    pub fn of(extents: Extents, rows: usize, columns: usize) -> Blocks {
        Blocks { extents, rows, columns }
    }

    fn across(&self) -> usize {
        self.extents.columns.div_ceil(self.columns)
    }

    pub fn count(&self) -> usize {
        self.extents.batch * self.extents.rows.div_ceil(self.rows) * self.across()
    }

    #[inline(always)]
    pub fn get(&self, number: usize) -> Block {
        let (line, column) = (number / self.across(), number % self.across());
        let down = self.extents.rows.div_ceil(self.rows);
        let (matrix, row) = (line / down, line % down);
        let (row, column) = (row * self.rows, column * self.columns);
        Block {
            matrix,
            rows: row..self.extents.rows.min(row + self.rows),
            columns: column..self.extents.columns.min(column + self.columns),
        }
    }

    /// Runs work on all of them, in versions for instruction sets. A simple operation does so many products.
    pub fn for_each(&self, products: usize, work: impl Fn(Target, Range<usize>) + Sync) {
        let block = self.rows.min(self.extents.rows) * self.columns.min(self.extents.columns);
        let cost = block.saturating_mul(self.extents.inner.max(1)) / products;
        let cost = u32::try_from(cost).unwrap_or(u32::MAX).max(1);
        parallel::for_each_in_versions::<VERSIONS, 0, 0>(
            self.count(),
            Some(cost),
            Version::Avx512,
            Begins::NONE,
            #[inline(always)]
            |target, _, range| work(target, range),
        );
    }
}

/// # Safety
/// The elements are of type `T` and borrowed; those of the result exclusively.
pub(super) unsafe fn multiply<T: Item>(problem: &Problem) {
    let Problem {
        left,
        right,
        extents: e,
        ..
    } = *problem;
    let results = e.batch * e.rows * e.columns;
    if results == 0 {
        return;
    }
    let (least, size) = (e.rows.min(e.columns), size_of::<T>() as isize);
    // SAFETY: by the caller's word, throughout.
    unsafe {
        if results <= 4 {
            return sums::each::<T>(problem);
        }
        if let Some(of_blocks) = T::Wide::GEMM
            && least >= THIN
            && e.work() >= 1 << 12
        {
            return gemm::multiply::<T>(problem, of_blocks);
        }
        // The larger matrix is the right one; of two large ones the one whose rows lie well.
        let transpose = match least <= THIN {
            true => e.columns < e.rows,
            false => right.column != size && left.row == size,
        };
        let problem = if transpose { problem.transposed() } else { *problem };
        let right = problem.right;
        if least <= THIN && right.row == size && right.column != size && e.inner >= 16 {
            return sums::multiply::<T>(&problem);
        }
        lines::multiply::<T>(&problem);
    }
}
