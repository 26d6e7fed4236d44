//! Products as sums of rows: each row of the right matrix, times an element of the left one, goes to a row of the result.

use std::mem::MaybeUninit;
use std::ops::Range;

use super::host::{Block, Blocks, Problem};
use super::wide::{Item, Wide};

/// Rows and columns of a block of the result, whose sums stay in the first or second cache.
const ROWS: usize = 16;
const COLUMNS: usize = 256;
/// Rows of the right matrix that are taken together: sums are loaded once for so many products.
const TOGETHER: usize = 4;

/// # Safety
/// As for [`multiply`](super::host::multiply).
pub(super) unsafe fn multiply<T: Item>(problem: &Problem) {
    let blocks = Blocks::of(problem.extents, ROWS, COLUMNS);
    blocks.for_each(
        4,
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

/// Room for rows of numbers.
struct Room<W, const N: usize>([[MaybeUninit<W>; COLUMNS]; N]);

impl<W: Wide, const N: usize> Room<W, N> {
    #[inline(always)]
    fn new() -> Self {
        Room([const { [const { MaybeUninit::uninit() }; COLUMNS] }; N])
    }

    #[inline(always)]
    fn fill(&mut self, rows: usize, columns: usize) {
        for row in &mut self.0[..rows] {
            row[..columns].fill(MaybeUninit::new(W::ZERO));
        }
    }

    /// The first numbers of a row.
    ///
    /// # Safety
    /// They were written.
    #[inline(always)]
    unsafe fn row(row: &mut [MaybeUninit<W>; COLUMNS], columns: usize) -> &mut [W] {
        let row = &mut row[..columns];
        // SAFETY: by the caller's word; places are as their values.
        unsafe { &mut *(std::ptr::from_mut(row) as *mut [W]) }
    }
}

#[inline(always)]
unsafe fn run<T: Item, const FUSED: bool>(problem: &Problem, blocks: &Blocks, range: Range<usize>) {
    let mut sums = Room::<T::Wide, ROWS>::new();
    let mut packed = Room::<T::Wide, TOGETHER>::new();
    for number in range {
        // SAFETY: by the caller's word.
        unsafe { block::<T, FUSED>(problem, &blocks.get(number), &mut sums, &mut packed) };
    }
}

#[inline(always)]
unsafe fn block<T: Item, const FUSED: bool>(
    problem: &Problem,
    block: &Block,
    sums: &mut Room<T::Wide, ROWS>,
    packed: &mut Room<T::Wide, TOGETHER>,
) {
    let Problem {
        left,
        right,
        to,
        extents,
    } = problem;
    let Block { matrix, rows, columns } = block;
    let (inner, height, width) = (extents.inner, rows.len(), columns.len());
    let side_by_side = right.column == size_of::<T>() as isize;
    let in_place = side_by_side && right.is_whole::<T>();
    // SAFETY: the position is inside of the left matrix.
    let factor = |i: usize, k: usize| unsafe { T::load(left.element(*matrix, rows.start + i, k), left.imaginary) };
    sums.fill(height, width);
    let mut k = 0;
    while k + TOGETHER <= inner {
        let mut lines: [*const T::Wide; TOGETHER] = [std::ptr::null(); TOGETHER];
        for (q, line) in lines.iter_mut().enumerate() {
            let from = right.element(*matrix, k + q, columns.start);
            *line = match in_place {
                true => from.cast::<T::Wide>(),
                false => {
                    // SAFETY: the row is inside of the right matrix.
                    unsafe { pack::<T>(from, (right.column, right.imaginary), &mut packed.0[q][..width]) };
                    packed.0[q].as_ptr().cast()
                }
            };
        }
        // SAFETY: rows of the right matrix, or copies of them.
        let lines = lines.map(|line| unsafe { std::slice::from_raw_parts(line, width) });
        let (fours, rest) = sums.0[..height].as_chunks_mut::<4>();
        for (n, [a, b, c, d]) in fours.iter_mut().enumerate() {
            let i = 4 * n;
            let factors = [i, i + 1, i + 2, i + 3].map(|i| [0, 1, 2, 3].map(|q| factor(i, k + q)));
            // SAFETY: the sums are filled.
            unsafe {
                let [a, b, c, d] = [a, b, c, d].map(|row| Room::<T::Wide, ROWS>::row(row, width));
                add_four::<T::Wide, FUSED>(a, b, c, d, lines, factors);
            }
        }
        for (n, row) in rest.iter_mut().enumerate() {
            let factors = [0, 1, 2, 3].map(|q| factor(4 * fours.len() + n, k + q));
            // SAFETY: as above.
            add_one::<T::Wide, FUSED>(unsafe { Room::<T::Wide, ROWS>::row(row, width) }, lines, factors);
        }
        k += TOGETHER;
    }
    while k < inner {
        let from = right.element(*matrix, k, columns.start);
        for (i, row) in sums.0[..height].iter_mut().enumerate() {
            let a = factor(i, k);
            // SAFETY: as above.
            let row = unsafe { Room::<T::Wide, ROWS>::row(row, width) };
            for (j, sum) in row.iter_mut().enumerate() {
                let at = from.wrapping_offset((j as isize).wrapping_mul(right.column));
                // SAFETY: an element of the row.
                *sum = sum.add_product::<FUSED>(a, unsafe { T::load(at, right.imaginary) });
            }
        }
        k += 1;
    }
    for (i, row) in sums.0[..height].iter_mut().enumerate() {
        // SAFETY: the sums are filled.
        let row = unsafe { Room::<T::Wide, ROWS>::row(row, width) };
        let start = to.element(*matrix, rows.start + i, columns.start);
        if to.column == size_of::<T>() as isize && to.is_whole::<T>() {
            // SAFETY: a row of the result, which nobody else has.
            unsafe { start.cast::<T::Wide>().copy_from_nonoverlapping(row.as_ptr(), width) };
            continue;
        }
        for (j, sum) in row.iter().enumerate() {
            let at = start.wrapping_offset((j as isize).wrapping_mul(to.column));
            // SAFETY: an element of the row.
            unsafe { T::store(*sum, at, to.imaginary) };
        }
    }
}

/// Copies elements at a distance.
///
/// # Safety
/// They are there.
#[inline(always)]
pub(super) unsafe fn pack<T: Item>(
    from: *const u8,
    (stride, imaginary): (isize, isize),
    to: &mut [MaybeUninit<T::Wide>],
) {
    if stride == size_of::<T>() as isize {
        // In a loop of its own, which is vectorised.
        for (k, place) in to.iter_mut().enumerate() {
            // SAFETY: by the caller's word.
            place.write(unsafe { T::load(from.cast::<T>().add(k).cast(), imaginary) });
        }
        return;
    }
    for (k, place) in to.iter_mut().enumerate() {
        let at = from.wrapping_offset((k as isize).wrapping_mul(stride));
        // SAFETY: by the caller's word.
        place.write(unsafe { T::load(at, imaginary) });
    }
}

#[inline(always)]
fn add_one<W: Wide, const FUSED: bool>(sums: &mut [W], lines: [&[W]; TOGETHER], factors: [W; TOGETHER]) {
    let width = sums.len();
    let [p, q, r, s] = lines.map(|line| &line[..width]);
    for j in 0..width {
        sums[j] = four::<W, FUSED>(sums[j], factors, [p[j], q[j], r[j], s[j]]);
    }
}

/// Four rows: what is loaded of the right matrix serves them all.
#[inline(always)]
fn add_four<W: Wide, const FUSED: bool>(
    a: &mut [W],
    b: &mut [W],
    c: &mut [W],
    d: &mut [W],
    lines: [&[W]; TOGETHER],
    factors: [[W; TOGETHER]; 4],
) {
    let width = a.len();
    let (b, c, d) = (&mut b[..width], &mut c[..width], &mut d[..width]);
    let [p, q, r, s] = lines.map(|line| &line[..width]);
    for j in 0..width {
        let line = [p[j], q[j], r[j], s[j]];
        a[j] = four::<W, FUSED>(a[j], factors[0], line);
        b[j] = four::<W, FUSED>(b[j], factors[1], line);
        c[j] = four::<W, FUSED>(c[j], factors[2], line);
        d[j] = four::<W, FUSED>(d[j], factors[3], line);
    }
}

#[inline(always)]
fn four<W: Wide, const FUSED: bool>(sum: W, [a, b, c, d]: [W; 4], [p, q, r, s]: [W; 4]) -> W {
    sum.add_product::<FUSED>(a, p)
        .add_product::<FUSED>(b, q)
        .add_product::<FUSED>(c, r)
        .add_product::<FUSED>(d, s)
}
