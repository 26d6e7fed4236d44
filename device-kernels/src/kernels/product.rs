//! Matrix products: tiles of the result by the threads of a block together, and results that are few, one by one.

use super::split;
use crate::entry::kernels;
use crate::grid::Grid;
use crate::half::{Bf16, F16, Half};

/// What matrices of a product hold.
pub(crate) trait Factor: Copy {
    /// What it consists of: one, or a real and an imaginary part.
    type Scalar: Copy;
    /// What it is computed with.
    type Wide: Copy;
    /// A sum of some of the products, in memory.
    type Partial: Copy;

    const ZERO: Self::Wide;

    /// # Safety
    /// There is a value, with its imaginary part, if it has one, so many scalars further on.
    unsafe fn load(at: *const Self::Scalar, imaginary: i64) -> Self::Wide;

    /// # Safety
    /// There is room for it.
    unsafe fn store(value: Self::Wide, at: *mut Self::Scalar, imaginary: i64);

    /// `sum` and `a` times `b`: of floats each product and sum is one operation.
    fn add_product(a: Self::Wide, b: Self::Wide, sum: Self::Wide) -> Self::Wide;

    fn plus(a: Self::Wide, b: Self::Wide) -> Self::Wide;
    fn partial(sum: Self::Wide) -> Self::Partial;
    fn of_partial(sum: Self::Partial) -> Self::Wide;
}

/// Integers wrap, so that short ones are computed with as `u32`.
macro_rules! integers {
    ($($t:ident $wide:ident)*) => {$(
        impl Factor for $t {
            type Scalar = $t;
            type Wide = $wide;
            type Partial = $t;

            const ZERO: $wide = 0;

            #[inline(always)]
            unsafe fn load(at: *const $t, _: i64) -> $wide {
                // SAFETY: by contract.
                (unsafe { *at }) as $wide
            }

            #[inline(always)]
            unsafe fn store(value: $wide, at: *mut $t, _: i64) {
                // SAFETY: by contract.
                unsafe { *at = value as $t }
            }

            #[inline(always)]
            fn add_product(a: $wide, b: $wide, sum: $wide) -> $wide {
                sum.wrapping_add(a.wrapping_mul(b))
            }

            #[inline(always)]
            fn plus(a: $wide, b: $wide) -> $wide {
                a.wrapping_add(b)
            }

            #[inline(always)]
            fn partial(sum: $wide) -> $t {
                sum as $t
            }

            #[inline(always)]
            fn of_partial(sum: $t) -> $wide {
                sum as $wide
            }
        }
    )*};
}
integers!(u8 u32 u16 u32 u32 u32 u64 u64);

/// A float with a fused multiply-add.
pub(crate) trait Fused: Copy {
    const ZERO: Self;

    /// `a * b + c`, rounded once.
    fn fused(a: Self, b: Self, c: Self) -> Self;
    fn plus(a: Self, b: Self) -> Self;
    fn negative(a: Self) -> Self;
}

macro_rules! floats {
    ($($t:ident $intrinsic:ident)*) => {$(
        impl Fused for $t {
            const ZERO: $t = 0.0;

            #[inline(always)]
            fn fused(a: $t, b: $t, c: $t) -> $t {
                #[cfg(target_arch = "nvptx64")]
                return core::intrinsics::$intrinsic(a, b, c);
                #[cfg(not(target_arch = "nvptx64"))]
                a.mul_add(b, c)
            }

            #[inline(always)]
            fn plus(a: $t, b: $t) -> $t {
                a + b
            }

            #[inline(always)]
            fn negative(a: $t) -> $t {
                -a
            }
        }

        impl Factor for $t {
            type Scalar = $t;
            type Wide = $t;
            type Partial = $t;

            const ZERO: $t = 0.0;

            #[inline(always)]
            unsafe fn load(at: *const $t, _: i64) -> $t {
                // SAFETY: by contract.
                unsafe { *at }
            }

            #[inline(always)]
            unsafe fn store(value: $t, at: *mut $t, _: i64) {
                // SAFETY: by contract.
                unsafe { *at = value }
            }

            #[inline(always)]
            fn add_product(a: $t, b: $t, sum: $t) -> $t {
                Fused::fused(a, b, sum)
            }

            #[inline(always)]
            fn plus(a: $t, b: $t) -> $t {
                a + b
            }

            #[inline(always)]
            fn partial(sum: $t) -> $t {
                sum
            }

            #[inline(always)]
            fn of_partial(sum: $t) -> $t {
                sum
            }
        }
    )*};
}
floats!(f32 fmaf32 f64 fmaf64);

macro_rules! halves {
    ($($t:ident)*) => {$(
        impl Factor for $t {
            type Scalar = $t;
            type Wide = f32;
            type Partial = f32;

            const ZERO: f32 = 0.0;

            #[inline(always)]
            unsafe fn load(at: *const $t, _: i64) -> f32 {
                // SAFETY: by contract.
                unsafe { *at }.wide()
            }

            #[inline(always)]
            unsafe fn store(value: f32, at: *mut $t, _: i64) {
                // SAFETY: by contract.
                unsafe { *at = $t::narrow(value) }
            }

            #[inline(always)]
            fn add_product(a: f32, b: f32, sum: f32) -> f32 {
                Fused::fused(a, b, sum)
            }

            #[inline(always)]
            fn plus(a: f32, b: f32) -> f32 {
                a + b
            }

            #[inline(always)]
            fn partial(sum: f32) -> f32 {
                sum
            }

            #[inline(always)]
            fn of_partial(sum: f32) -> f32 {
                sum
            }
        }
    )*};
}
halves!(F16 Bf16);

/// A complex number.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Complex<T> {
    re: T,
    im: T,
}

impl<T: Fused> Factor for Complex<T> {
    type Scalar = T;
    type Wide = Self;
    type Partial = Self;

    const ZERO: Self = Complex {
        re: T::ZERO,
        im: T::ZERO,
    };

    #[inline(always)]
    unsafe fn load(at: *const T, imaginary: i64) -> Self {
        // SAFETY: by contract.
        let (re, im) = unsafe { (*at, *at.offset(imaginary as isize)) };
        Complex { re, im }
    }

    #[inline(always)]
    unsafe fn store(value: Self, at: *mut T, imaginary: i64) {
        // SAFETY: by contract.
        unsafe {
            *at = value.re;
            *at.offset(imaginary as isize) = value.im;
        }
    }

    #[inline(always)]
    fn add_product(a: Self, b: Self, sum: Self) -> Self {
        Complex {
            re: T::fused(T::negative(a.im), b.im, T::fused(a.re, b.re, sum.re)),
            im: T::fused(a.im, b.re, T::fused(a.re, b.im, sum.im)),
        }
    }

    #[inline(always)]
    fn plus(a: Self, b: Self) -> Self {
        Complex {
            re: T::plus(a.re, b.re),
            im: T::plus(a.im, b.im),
        }
    }

    #[inline(always)]
    fn partial(sum: Self) -> Self {
        sum
    }

    #[inline(always)]
    fn of_partial(sum: Self) -> Self {
        sum
    }
}

/// Where the values of a batch of matrices lie; in scalars.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Lie {
    pub matrix: i64,
    pub row: i64,
    pub column: i64,
    /// From a real part to the imaginary one.
    pub imaginary: i64,
}

impl Lie {
    /// The value at a position.
    #[inline(always)]
    fn at(&self, matrix: u64, row: u64, column: u64) -> isize {
        (matrix as i64 * self.matrix + row as i64 * self.row + column as i64 * self.column) as isize
    }
}

/// `batch` matrices of `rows` by `inner`, times as many of `inner` by `columns`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Extents {
    pub batch: u64,
    pub rows: u64,
    pub inner: u64,
    pub columns: u64,
}

impl Extents {
    #[inline(always)]
    fn results(&self) -> u64 {
        self.batch * self.rows * self.columns
    }

    /// Matrix, row and column of a result.
    ///
    /// # Safety
    /// There is such a result.
    #[inline(always)]
    unsafe fn position(&self, result: u64) -> (u64, u64, u64) {
        // SAFETY: by contract there are rows and columns.
        let ((matrix, row), column) = unsafe {
            let (line, column) = split(result, self.columns);
            (split(line, self.rows), column)
        };
        (matrix, row, column)
    }
}

/// Threads along each side of a tile.
const SIDE: u32 = 16;
/// Values of a row that a thread takes beside each other, which are loaded at once.
const QUAD: u32 = 4;
/// Rows and columns of a tile whose threads have one quad each way.
pub(crate) const EDGE: u32 = SIDE * QUAD;
/// Columns of the left matrix, and rows of the right one, in shared memory.
pub(crate) const DEPTH: u32 = 16;

/// Values from a line of a tile to the next: a multiple of a quad, but not of all banks.
pub(crate) const fn pitch(quads: u32) -> u32 {
    EDGE * quads + QUAD
}

#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Quad<W>([W; QUAD as usize]);

pub(crate) mod tile {
    use super::*;

    kernels! {
        "product": tile(Tile { left: *mut u8, right: *mut u8, to: *mut u8, l: Lie, r: Lie, t: Lie, e: Extents });
        product_u8 <u8>; product_u16 <u16>; product_u32 <u32>; product_u64 <u64>; product_f16 <F16>;
        product_bf16 <Bf16>; product_f32 <f32>; product_f64 <f64>; product_c32 <Complex<f32>>; product_c64 <Complex<f64>>;
    }

    /// Tiles of 64 by 64 results.
    #[inline(always)]
    unsafe fn tile<F: Factor, G: Grid>(g: G, a: Tile) {
        // SAFETY: by contract.
        unsafe { tiles::<F, 1, G>(g, [a.left, a.right, a.to], [a.l, a.r, a.t], a.e) }
    }
}

pub(crate) mod large_tile {
    use super::*;

    kernels! {
        "product": large_tile(LargeTile { left: *mut u8, right: *mut u8, to: *mut u8, l: Lie, r: Lie, t: Lie, e: Extents });
        product_large_u8 <u8>; product_large_u16 <u16>; product_large_u32 <u32>; product_large_f16 <F16>;
        product_large_bf16 <Bf16>; product_large_f32 <f32>;
    }

    /// Tiles of 128 by 128 results: twice as many products for each value that is loaded.
    #[inline(always)]
    unsafe fn large_tile<F: Factor, G: Grid>(g: G, a: LargeTile) {
        // SAFETY: by contract.
        unsafe { tiles::<F, 2, G>(g, [a.left, a.right, a.to], [a.l, a.r, a.t], a.e) }
    }
}

/// Loops of at most four steps, one copy for each: else sums would not be in registers.
macro_rules! unrolled {
    ($name:ident below $count:expr $(, $inner:ident below $inner_count:expr)* => $body:block) => {
        unrolled!(@ $name 0 $count, [$($inner below $inner_count),*] $body);
        unrolled!(@ $name 1 $count, [$($inner below $inner_count),*] $body);
        unrolled!(@ $name 2 $count, [$($inner below $inner_count),*] $body);
        unrolled!(@ $name 3 $count, [$($inner below $inner_count),*] $body);
    };
    (@ $name:ident $step:literal $count:expr, [$($inner:tt)*] $body:block) => {
        if $step < $count {
            let $name = $step;
            unrolled!([$($inner)*] $body);
        }
    };
    ([] $body:block) => { $body };
    ([$($inner:tt)*] $body:block) => { unrolled!($($inner)* => $body) };
}

/// No matrix overlaps with the results. Shared memory has room for a tile of either factor. A result is the sum of its products in the
/// order of `inner`, whatever the tiles.
#[inline(always)]
unsafe fn tiles<F: Factor, const QUADS: usize, G: Grid>(
    g: G,
    [left, right, to]: [*mut u8; 3],
    [l, r, t]: [Lie; 3],
    e: Extents,
) {
    let (edge, pitch) = (EDGE * QUADS as u32, pitch(QUADS as u32));
    let left_tile = g.shared().cast::<F::Wide>();
    let right_tile = left_tile.wrapping_add((DEPTH * pitch) as usize);
    let (down, across) = (e.rows.div_ceil(edge as u64), e.columns.div_ceil(edge as u64));
    g.units(e.batch * down * across, |unit| {
        // SAFETY: there is a tile, so there are some of a matrix and across it.
        let (matrix, (row, column)) = unsafe {
            let (matrix, within) = split(unit, down * across);
            (matrix, split(within, across))
        };
        let (row, column) = (row * edge as u64, column * edge as u64);
        let height = (e.rows - row).min(edge as u64) as u32;
        let width = (e.columns - column).min(edge as u64) as u32;
        let mut kept = g.keep([[[[F::ZERO; QUAD as usize]; QUADS]; QUAD as usize]; QUADS]);
        let mut first = 0;
        while first < e.inner {
            let depth = (e.inner - first).min(DEPTH as u64) as u32;
            g.phase(|thread| {
                let step = g.threads();
                // SAFETY: the parts are inside of the matrices.
                unsafe {
                    let left = left.cast::<F::Scalar>().cast_const().offset(l.at(matrix, row, first));
                    let right = right
                        .cast::<F::Scalar>()
                        .cast_const()
                        .offset(r.at(matrix, first, column));
                    let (left, right) = (
                        (left, l.row, l.column, l.imaginary),
                        (right, r.column, r.row, r.imaginary),
                    );
                    fill::<F>(left_tile, left, (height, depth), (edge, pitch), (thread, step));
                    fill::<F>(right_tile, right, (width, depth), (edge, pitch), (thread, step));
                }
            });
            g.phase_with(&mut kept, |thread, sums| {
                let (y, x) = (thread / SIDE, thread % SIDE);
                let mut k = 0;
                while k < depth {
                    // SAFETY: the phase before has written these lines, as long as the edge.
                    let (a, b) = unsafe {
                        (
                            quads::<F::Wide, QUADS>(left_tile, k * pitch + y * QUAD),
                            quads::<F::Wide, QUADS>(right_tile, k * pitch + x * QUAD),
                        )
                    };
                    unrolled!(p below QUADS, i below 4, q below QUADS, j below 4 => {
                        let sum = &mut sums[p][i][q][j];
                        *sum = F::add_product(a[p].0[i], b[q].0[j], *sum);
                    });
                    k += 1;
                }
            });
            first += DEPTH as u64;
        }
        g.phase_with(&mut kept, |thread, sums| {
            let (y, x) = (thread / SIDE * QUAD, thread % SIDE * QUAD);
            unrolled!(p below QUADS, i below 4, q below QUADS, j below 4 => {
                let (i_here, j_here) = (p as u32 * EDGE + y + i as u32, q as u32 * EDGE + x + j as u32);
                if i_here < height && j_here < width {
                    let place = t.at(matrix, row + i_here as u64, column + j_here as u64);
                    // SAFETY: a result of the matrix.
                    unsafe { F::store(sums[p][i][q][j], to.cast::<F::Scalar>().offset(place), t.imaginary) };
                }
            });
        });
    });
}

/// The quads of a thread in a line of a tile.
#[inline(always)]
unsafe fn quads<W: Copy, const QUADS: usize>(tile: *const W, place: u32) -> [Quad<W>; QUADS] {
    // SAFETY: by contract they are there; lines and places in them are multiples of a quad, which is one of 16 bytes.
    let at = |q: usize| unsafe { *tile.add((place + q as u32 * EDGE) as usize).cast::<Quad<W>>() };
    let mut all = [at(0); QUADS];
    for (q, quad) in all.iter_mut().enumerate().skip(1) {
        *quad = at(q);
    }
    all
}

/// Puts a part of a factor into a tile, a line for each step along `inner`. It is given by its first value, by strides across and along
/// `inner`, and by the way to imaginary parts. What is missing across is 0.
#[inline(always)]
unsafe fn fill<F: Factor>(
    tile: *mut F::Wide,
    (from, across, along, imaginary): (*const F::Scalar, i64, i64, i64),
    (extent, depth): (u32, u32),
    (edge, pitch): (u32, u32),
    (thread, threads): (u32, u32),
) {
    // Neighbours in memory go to neighbouring threads.
    let by_depth = along.unsigned_abs() < across.unsigned_abs();
    let mut number = thread;
    while number < edge * DEPTH {
        let (i, k) = match by_depth {
            true => (number / DEPTH, number % DEPTH),
            false => (number % edge, number / edge),
        };
        if k < depth {
            let mut value = F::ZERO;
            if i < extent {
                let place = (i as i64 * across + k as i64 * along) as isize;
                // SAFETY: a value of the part.
                value = unsafe { F::load(from.offset(place), imaginary) };
            }
            // SAFETY: by contract there is room for it.
            unsafe { *tile.add((k * pitch + i) as usize) = value };
        }
        number += threads;
    }
}

/// The products of one result, or of a part of it.
#[inline(always)]
unsafe fn column<F: Factor>(
    (left, right): (*const F::Scalar, *const F::Scalar),
    (left_step, right_step): (i64, i64),
    (left_imaginary, right_imaginary): (i64, i64),
    count: u64,
) -> F::Wide {
    // SAFETY: by contract these are values.
    let pair = |k: u64| unsafe {
        (
            F::load(left.offset((k as i64 * left_step) as isize), left_imaginary),
            F::load(right.offset((k as i64 * right_step) as isize), right_imaginary),
        )
    };
    let add = |(a, b), sum| F::add_product(a, b, sum);
    let mut sum = F::ZERO;
    let mut k = 0;
    while k + 3 < count {
        // Loaded at once.
        let [a, b, c, d] = [pair(k), pair(k + 1), pair(k + 2), pair(k + 3)];
        sum = add(d, add(c, add(b, add(a, sum))));
        k += 4;
    }
    while k < count {
        sum = add(pair(k), sum);
        k += 1;
    }
    sum
}

/// Joins a value of each thread in shared memory, and gives the result to one thread. There is a power of two of them.
#[inline(always)]
unsafe fn join<F: Factor, G: Grid>(g: G, of_thread: impl Fn(u32) -> F::Wide, give: impl Fn(F::Wide)) {
    let shared = g.shared().cast::<F::Wide>();
    // SAFETY: by contract there is room for a value of each thread.
    g.phase(|thread| unsafe { *shared.add(thread as usize) = of_thread(thread) });
    let mut half = g.threads() / 2;
    while half > 0 {
        g.phase_of(half, |thread| {
            // SAFETY: both are values of threads.
            unsafe {
                let value = shared.add(thread as usize);
                *value = F::plus(*value, *value.add(half as usize));
            }
        });
        half /= 2;
    }
    // SAFETY: the first value is there.
    g.phase_of(1, |_| give(unsafe { *shared }));
}

/// A result, or a part of it.
struct Unit {
    matrix: u64,
    row: u64,
    column: u64,
    /// Its first product, and how many there are.
    first: u64,
    count: u64,
}

/// All results of the first part come first.
///
/// # Safety
/// There is such a unit.
#[inline(always)]
unsafe fn unit_of(e: &Extents, unit: u64, each: u64) -> Unit {
    // SAFETY: by contract there are results.
    let (part, result) = unsafe { split(unit, e.results()) };
    // SAFETY: one of them.
    let (matrix, row, column) = unsafe { e.position(result) };
    let first = part * each;
    let count = if first < e.inner {
        (e.inner - first).min(each)
    } else {
        0
    };
    Unit {
        matrix,
        row,
        column,
        first,
        count,
    }
}

pub(crate) mod dot {
    use super::*;

    kernels! {
        "product_thin": dot(Dot {
            left: *mut u8, right: *mut u8, to: *mut u8, l: Lie, r: Lie, t: Lie, e: Extents, parts: u64, each: u64
        });
        dot_u8 <u8>; dot_u16 <u16>; dot_u32 <u32>; dot_u64 <u64>; dot_f16 <F16>; dot_bf16 <Bf16>; dot_f32 <f32>;
        dot_f64 <f64>; dot_c32 <Complex<f32>>; dot_c64 <Complex<f64>>;
    }

    /// The threads of a block share the products of a result, or of one of `parts` parts of it, of `each` products.
    #[inline(always)]
    unsafe fn dot<F: Factor, G: Grid>(g: G, a: Dot) {
        let (left, right) = (a.left.cast::<F::Scalar>(), a.right.cast::<F::Scalar>());
        g.units(a.e.results() * a.parts, |number| {
            // SAFETY: there is one.
            let unit = unsafe { unit_of(&a.e, number, a.each) };
            let of_thread = |thread: u32| {
                let step = g.threads() as u64;
                let first = unit.first + thread as u64;
                let count = unit.count.saturating_sub(thread as u64).div_ceil(step);
                // SAFETY: by contract the values are there. Who has none does not load.
                unsafe {
                    column::<F>(
                        (
                            left.wrapping_offset(a.l.at(unit.matrix, unit.row, first)),
                            right.wrapping_offset(a.r.at(unit.matrix, first, unit.column)),
                        ),
                        (a.l.column * step as i64, a.r.row * step as i64),
                        (a.l.imaginary, a.r.imaginary),
                        count,
                    )
                }
            };
            // SAFETY: by contract there is room, for results or for parts of them.
            unsafe { join::<F, G>(g, of_thread, |sum| give::<F>(sum, &unit, number, (a.to, a.t), a.parts)) };
        });
    }
}

pub(crate) mod dot_fold {
    use super::*;

    kernels! {
        "product_thin": dot_fold(DotFold {
            left: *mut u8, right: *mut u8, to: *mut u8, l: Lie, r: Lie, t: Lie, e: Extents, parts: u64, each: u64
        });
        dot_fold_u8 <u8>; dot_fold_u16 <u16>; dot_fold_u32 <u32>; dot_fold_u64 <u64>; dot_fold_f16 <F16>;
        dot_fold_bf16 <Bf16>; dot_fold_f32 <f32>; dot_fold_f64 <f64>; dot_fold_c32 <Complex<f32>>;
        dot_fold_c64 <Complex<f64>>;
    }

    /// As [`dot`](super::dot), with a thread for each.
    #[inline(always)]
    unsafe fn dot_fold<F: Factor, G: Grid>(g: G, a: DotFold) {
        let (left, right) = (a.left.cast::<F::Scalar>(), a.right.cast::<F::Scalar>());
        g.each(a.e.results() * a.parts, |number| {
            // SAFETY: there is one. By contract the values are there, and room.
            unsafe {
                let unit = unit_of(&a.e, number, a.each);
                let sum = column::<F>(
                    (
                        left.wrapping_offset(a.l.at(unit.matrix, unit.row, unit.first)),
                        right.wrapping_offset(a.r.at(unit.matrix, unit.first, unit.column)),
                    ),
                    (a.l.column, a.r.row),
                    (a.l.imaginary, a.r.imaginary),
                    unit.count,
                );
                give::<F>(sum, &unit, number, (a.to, a.t), a.parts);
            }
        });
    }
}

/// Stores a result, or a part of one.
#[inline(always)]
unsafe fn give<F: Factor>(sum: F::Wide, unit: &Unit, number: u64, (to, t): (*mut u8, Lie), parts: u64) {
    // SAFETY: by contract there is room for it.
    unsafe {
        if parts == 1 {
            let place = t.at(unit.matrix, unit.row, unit.column);
            F::store(sum, to.cast::<F::Scalar>().offset(place), t.imaginary);
        } else {
            *to.cast::<F::Partial>().add(number as usize) = F::partial(sum);
        }
    }
}

pub(crate) mod dot_join {
    use super::*;

    kernels! {
        "product_thin": dot_join(DotJoin { from: *mut u8, to: *mut u8, t: Lie, e: Extents, parts: u64 });
        dot_join_u8 <u8>; dot_join_u16 <u16>; dot_join_u32 <u32>; dot_join_u64 <u64>; dot_join_f16 <F16>;
        dot_join_bf16 <Bf16>; dot_join_f32 <f32>; dot_join_f64 <f64>; dot_join_c32 <Complex<f32>>;
        dot_join_c64 <Complex<f64>>;
    }

    /// The threads of a block share the parts of a result.
    #[inline(always)]
    unsafe fn dot_join<F: Factor, G: Grid>(g: G, a: DotJoin) {
        let results = a.e.results();
        g.units(results, |result| {
            let of_thread = |thread: u32| {
                let mut sum = F::ZERO;
                let mut part = thread as u64;
                while part < a.parts {
                    // SAFETY: by contract the parts are there.
                    let value = unsafe { *a.from.cast::<F::Partial>().add((part * results + result) as usize) };
                    sum = F::plus(sum, F::of_partial(value));
                    part += g.threads() as u64;
                }
                sum
            };
            let give = |sum| {
                // SAFETY: there is such a result, and by contract room for it.
                unsafe {
                    let (matrix, row, column) = a.e.position(result);
                    let place = a.t.at(matrix, row, column);
                    F::store(sum, a.to.cast::<F::Scalar>().offset(place), a.t.imaginary);
                }
            };
            // SAFETY: by contract there is room for a value of each thread.
            unsafe { join::<F, G>(g, of_thread, give) };
        });
    }
}
