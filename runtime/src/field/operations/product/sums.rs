//! Products as sums, each of the products of a row and a column that lie in the order of memory.

use std::mem::MaybeUninit;
use std::ops::Range;

use super::host::{Blocks, Problem, THIN, VERSIONS};
use super::lines::pack;
use super::wide::{Item, Wide};
use crate::host::parallel;
use crate::versions::Begins;

/// Elements that are copied at once, where they are not used in place.
const CHUNK: usize = 512;
/// Results of a row that are computed one after the other.
const COLUMNS: usize = 64;

/// Elements at a distance.
#[derive(Clone, Copy)]
struct Run {
    at: *const u8,
    stride: isize,
    imaginary: isize,
    /// Whether they follow one another, whole.
    side_by_side: bool,
}

impl Run {
    #[inline(always)]
    fn new<T: Item>(at: *const u8, stride: isize, imaginary: isize, whole: bool) -> Run {
        Run {
            at,
            stride,
            imaginary,
            side_by_side: whole && stride == size_of::<T>() as isize,
        }
    }

    #[inline(always)]
    fn at(&self, position: usize) -> *const u8 {
        self.at.wrapping_offset((position as isize).wrapping_mul(self.stride))
    }

    /// Whether they are used where they are, as they are.
    #[inline(always)]
    fn in_place<T: Item>(&self) -> bool {
        T::SAME && self.side_by_side
    }

    /// # Safety
    /// The elements are there, as long as the slice is used, and fit into the room unless they are used in place.
    #[inline(always)]
    unsafe fn get<'a, T: Item>(
        &self,
        range: Range<usize>,
        room: &'a mut [MaybeUninit<T::Wide>; CHUNK],
    ) -> &'a [T::Wide] {
        if self.in_place::<T>() {
            // SAFETY: by the caller's word.
            return unsafe { std::slice::from_raw_parts(self.at(range.start).cast(), range.len()) };
        }
        let room = &mut room[..range.len()];
        // SAFETY: by the caller's word; all of the room is written then.
        unsafe {
            pack::<T>(self.at(range.start), (self.stride, self.imaginary), room);
            &*(std::ptr::from_ref(room) as *const [T::Wide])
        }
    }

    /// The sum of the products with numbers, from a position on.
    ///
    /// # Safety
    /// The elements are there, and room for them unless they lie side by side.
    #[inline(always)]
    unsafe fn dot<T: Item, const FUSED: bool>(
        &self,
        start: usize,
        numbers: &[T::Wide],
        room: &mut [MaybeUninit<T::Wide>; CHUNK],
    ) -> T::Wide {
        if self.side_by_side {
            let from = self.at(start).cast::<T>();
            // SAFETY: by the caller's word.
            return dot::<T::Wide, FUSED>(
                numbers,
                #[inline(always)]
                |k| unsafe { T::load(from.add(k).cast(), self.imaginary) },
            );
        }
        // SAFETY: by the caller's word.
        let other = unsafe { self.get::<T>(start..start + numbers.len(), room) };
        // SAFETY: it is as long.
        dot::<T::Wide, FUSED>(
            numbers,
            #[inline(always)]
            |k| unsafe { *other.get_unchecked(k) },
        )
    }
}

impl Problem {
    #[inline(always)]
    fn row<T: Item>(&self, matrix: usize, row: usize) -> Run {
        let left = self.left;
        Run::new::<T>(
            left.element(matrix, row, 0),
            left.column,
            left.imaginary,
            left.is_joined::<T>(),
        )
    }

    #[inline(always)]
    fn column<T: Item>(&self, matrix: usize, column: usize) -> Run {
        let right = self.right;
        Run::new::<T>(
            right.element(matrix, 0, column),
            right.row,
            right.imaginary,
            right.is_joined::<T>(),
        )
    }
}

/// The sum of the products of a range.
///
/// # Safety
/// The elements are there.
#[inline(always)]
unsafe fn sum<T: Item, const FUSED: bool>(row: &Run, column: &Run, range: Range<usize>) -> T::Wide {
    let mut room = [const { [const { MaybeUninit::uninit() }; CHUNK] }; 2];
    let [left, right] = &mut room;
    let step = match row.in_place::<T>() && column.side_by_side {
        true => range.len(),
        false => CHUNK,
    };
    let (mut sum, mut start) = (T::Wide::ZERO, range.start);
    while start < range.end {
        let part = start..range.end.min(start + step);
        // SAFETY: by the caller's word.
        sum = sum.plus(unsafe { column.dot::<T, FUSED>(start, row.get::<T>(part, left), right) });
        start += step;
    }
    sum
}

/// Each of a few results by all threads.
///
/// # Safety
/// As for [`multiply`](super::host::multiply).
pub(super) unsafe fn each<T: Item>(problem: &Problem) {
    let blocks = Blocks::of(problem.extents, 1, 1);
    for block in (0..blocks.count()).map(|number| blocks.get(number)) {
        let (row, column) = (block.rows.start, block.columns.start);
        let at = Pair(
            problem.row::<T>(block.matrix, row),
            problem.column::<T>(block.matrix, column),
        );
        let value = parallel::reduce_in_versions::<VERSIONS, T::Wide, 0, 0>(
            problem.extents.inner,
            Some(1),
            Begins::NONE,
            || T::Wide::ZERO,
            #[inline(always)]
            |target, _, range, carried| {
                let at = &at;
                // SAFETY: by the caller's word.
                let part = unsafe {
                    match target.fuses() {
                        true => sum::<T, true>(&at.0, &at.1, range),
                        false => sum::<T, false>(&at.0, &at.1, range),
                    }
                };
                carried.plus(part)
            },
            T::Wide::plus,
        );
        let to = problem.to;
        // SAFETY: a result.
        unsafe { T::store(value, to.element(block.matrix, row, column), to.imaginary) };
    }
}

struct Pair(Run, Run);

// SAFETY: addresses of elements that are borrowed.
unsafe impl Sync for Pair {}

/// Of a thin left matrix, and a right one whose columns lie in the order of memory.
///
/// # Safety
/// As for [`multiply`](super::host::multiply); there are at most [`THIN`] rows.
pub(super) unsafe fn multiply<T: Item>(problem: &Problem) {
    let blocks = Blocks::of(problem.extents, THIN, COLUMNS);
    blocks.for_each(
        2,
        #[inline(always)]
        |target, range| {
            // SAFETY: by the caller's word; each block is one iteration's.
            unsafe {
                match target.fuses() {
                    true => run::<T, true>(problem, &blocks, range),
                    false => run::<T, false>(problem, &blocks, range),
                }
            }
        },
    );
}

#[inline(always)]
unsafe fn run<T: Item, const FUSED: bool>(problem: &Problem, blocks: &Blocks, range: Range<usize>) {
    let inner = problem.extents.inner;
    let mut packed = [const { [const { MaybeUninit::uninit() }; CHUNK] }; THIN];
    let mut room = [const { MaybeUninit::uninit() }; CHUNK];
    for block in range.map(|number| blocks.get(number)) {
        let mut sums = [[T::Wide::ZERO; COLUMNS]; THIN];
        let step = match problem.row::<T>(block.matrix, 0).in_place::<T>()
            && problem.column::<T>(block.matrix, 0).side_by_side
        {
            true => inner,
            false => CHUNK,
        };
        let mut start = 0;
        while start < inner {
            let part = start..inner.min(start + step);
            let mut rows: [&[T::Wide]; THIN] = [&[]; THIN];
            for ((row, room), i) in rows.iter_mut().zip(&mut packed).zip(block.rows.clone()) {
                // SAFETY: a row of the left matrix.
                *row = unsafe { problem.row::<T>(block.matrix, i).get::<T>(part.clone(), room) };
            }
            for (k, j) in block.columns.clone().enumerate() {
                let column = problem.column::<T>(block.matrix, j);
                for (row, sums) in rows[..block.rows.len()].iter().zip(&mut sums) {
                    // SAFETY: a column of the right matrix.
                    sums[k] = sums[k].plus(unsafe { column.dot::<T, FUSED>(start, row, &mut room) });
                }
            }
            start += step;
        }
        let to = problem.to;
        for (i, sums) in block.rows.clone().zip(&sums) {
            for (j, sum) in block.columns.clone().zip(sums) {
                // SAFETY: a result of the block.
                unsafe { T::store(*sum, to.element(block.matrix, i, j), to.imaginary) };
            }
        }
    }
}

/// `b` is asked for positions below the length of `a`.
#[inline(always)]
fn dot<W: Wide, const FUSED: bool>(a: &[W], b: impl Fn(usize) -> W) -> W {
    // Sums that are added up beside each other, in registers: four of 512 bits, eight of 256.
    match size_of::<W>() {
        ..=4 => lanes::<W, FUSED, 64>(a, b),
        8 => lanes::<W, FUSED, 32>(a, b),
        _ => lanes::<W, FUSED, 16>(a, b),
    }
}

#[inline(always)]
fn lanes<W: Wide, const FUSED: bool, const LANES: usize>(a: &[W], b: impl Fn(usize) -> W) -> W {
    let mut sums = [W::ZERO; LANES];
    let (chunks, rest) = a.as_chunks::<LANES>();
    for (n, chunk) in chunks.iter().enumerate() {
        for k in 0..LANES {
            sums[k] = sums[k].add_product::<FUSED>(chunk[k], b(n * LANES + k));
        }
    }
    for (k, (sum, a)) in sums.iter_mut().zip(rest).enumerate() {
        *sum = sum.add_product::<FUSED>(*a, b(chunks.len() * LANES + k));
    }
    // Loops of constant lengths, which become vector instructions.
    macro_rules! halve {
        ($($half:literal)*) => {$(
            if LANES > $half {
                for k in 0..$half {
                    sums[k] = sums[k].plus(sums[k + $half]);
                }
            }
        )*};
    }
    halve!(32 16 8 4 2 1);
    sums[0]
}
