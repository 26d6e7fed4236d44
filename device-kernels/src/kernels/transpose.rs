//! Transpose matrices through shared memory, so that reads and writes are both contiguous.

use super::split;
use crate::entry::kernels;
use crate::grid::Grid;

/// Rows and columns of a tile.
pub(crate) const TILE: u32 = 32;
/// Words from a tile's row to the next: odd, so that a column lies in different banks.
pub(crate) const PITCH: u32 = TILE + 1;

/// `batch` matrices of `rows` by `columns`; strides in words.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Matrices {
    pub batch: u64,
    pub rows: u64,
    pub columns: u64,
    pub from_matrix: i64,
    pub from_row: i64,
    pub to_matrix: i64,
    pub to_row: i64,
}

kernels! {
    "transpose": transpose(Transpose { from: *mut u8, to: *mut u8, m: Matrices });
    transpose_1 <u8>; transpose_2 <u16>; transpose_4 <u32>; transpose_8 <u64>; transpose_16 <u128>;
}

/// Addresses are multiples of a word; no extent is 0; from and to do not overlap.
#[inline(always)]
unsafe fn transpose<W: Copy, G: Grid>(g: G, a: Transpose) {
    let m = a.m;
    let tile = g.shared().cast::<W>();
    let across = m.columns.div_ceil(TILE as u64);
    let each = across * m.rows.div_ceil(TILE as u64);
    let tiles = each * m.batch;
    let mut number = g.block() as u64;
    while number < tiles {
        // SAFETY: there is a tile, so there are some of a matrix and across it.
        let (matrix, (row, column)) = unsafe {
            let (matrix, within) = split(number, each);
            (matrix, split(within, across))
        };
        let (row, column) = (row * TILE as u64, column * TILE as u64);
        let height = (m.rows - row).min(TILE as u64) as u32;
        let width = (m.columns - column).min(TILE as u64) as u32;
        let from = matrix as i64 * m.from_matrix + row as i64 * m.from_row + column as i64;
        let to = matrix as i64 * m.to_matrix + column as i64 * m.to_row + row as i64;
        let down = g.threads() / TILE;
        g.phase(|thread| {
            let (x, mut y) = (thread % TILE, thread / TILE);
            let mut word = (from + y as i64 * m.from_row + x as i64) as isize;
            let mut place = y * PITCH + x;
            while x < width && y < height {
                // SAFETY: row and column are inside of the matrix, and of the tile.
                unsafe { *tile.add(place as usize) = *a.from.cast::<W>().offset(word) };
                word += down as isize * m.from_row as isize;
                place += down * PITCH;
                y += down;
            }
        });
        g.phase(|thread| {
            let (mut x, y) = (thread / TILE, thread % TILE);
            let mut word = (to + x as i64 * m.to_row + y as i64) as isize;
            let mut place = y * PITCH + x;
            while y < height && x < width {
                // SAFETY: as above.
                unsafe { *a.to.cast::<W>().offset(word) = *tile.add(place as usize) };
                word += down as isize * m.to_row as isize;
                place += down;
                x += down;
            }
        });
        number += g.blocks() as u64;
    }
}
