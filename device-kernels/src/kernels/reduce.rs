//! Reductions in which the threads of a block share the items: few results of many items.

use super::{at, split};
use crate::entry::kernels;
use crate::grid::Grid;
use crate::half::{Bf16, F16};
use crate::number::{Integer, Number, Source};

/// What two values become.
pub(super) trait Operation<T> {
    const IDENTITY: T;

    fn join(a: T, b: T) -> T;
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident: $bound:ident, $identity:ident, |$a:ident, $b:ident| $join:expr;)*) => {$(
        $(#[$doc])*
        pub(super) struct $name;

        impl<T: $bound> Operation<T> for $name {
            const IDENTITY: T = T::$identity;

            #[inline(always)]
            fn join($a: T, $b: T) -> T {
                $join
            }
        }
    )*};
}

operations! {
    Sum: Number, ZERO, |a, b| a.plus(b);
    Product: Number, ONE, |a, b| a.times(b);
    /// Passes over NaN, as `f32::min` does; of values that are equal the first one stays.
    Min: Number, GREATEST, |a, b| if b < a || a.is_nan() { b } else { a };
    /// As [`Min`].
    Max: Number, LEAST, |a, b| if b > a || a.is_nan() { b } else { a };
    And: Integer, ALL, |a, b| a.and(b);
    Or: Integer, ZERO, |a, b| a.or(b);
}

/// Which items belong to which result. Result `s` is of the items at `s / inner * outer_stride + s % inner * inner_stride`
/// `+ k * stride`, for `k` below `length`; strides in items.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Segments {
    pub count: u64,
    pub length: u64,
    pub stride: i64,
    pub inner: u64,
    pub inner_stride: i64,
    pub outer_stride: i64,
}

impl Segments {
    /// The first item of a result.
    #[inline(always)]
    pub fn start(&self, segment: u64) -> i64 {
        if self.inner <= 1 {
            return segment as i64 * self.outer_stride;
        }
        let (outer, inner) = (segment / self.inner, segment % self.inner);
        outer as i64 * self.outer_stride + inner as i64 * self.inner_stride
    }

    /// Part `part` of a segment: items `each * part` and so on, `each` of them, or fewer at the end.
    #[inline(always)]
    fn part(&self, segment: u64, part: u64, each: u64) -> Stretch {
        let first = part * each;
        let count = if first < self.length {
            (self.length - first).min(each)
        } else {
            0
        };
        let start = self.start(segment) + first as i64 * self.stride;
        Stretch { start, first, count }
    }

    /// The part with this number, where the parts of a segment follow each other.
    ///
    /// # Safety
    /// There are parts.
    #[inline(always)]
    pub unsafe fn part_in_row(&self, unit: u64, parts: u64, each: u64) -> Stretch {
        if parts == 1 {
            return self.whole(unit);
        }
        // SAFETY: by contract.
        let (segment, part) = unsafe { split(unit, parts) };
        self.part(segment, part, each)
    }

    /// The part with this number, where with each part of the axis come all that is inside of it.
    ///
    /// # Safety
    /// There are parts, and the number is one of theirs.
    #[inline(always)]
    pub unsafe fn part_across(&self, unit: u64, parts: u64, each: u64) -> Stretch {
        if parts == 1 {
            return self.whole(unit);
        }
        // SAFETY: by contract there are some inside of the axis.
        let (row, inner) = unsafe { split(unit, self.inner) };
        // SAFETY: by contract.
        let (outer, part) = unsafe { split(row, parts) };
        self.part(outer * self.inner + inner, part, each)
    }

    /// All of a segment. It is as long as the others, which loops over segments profit from.
    #[inline(always)]
    fn whole(&self, segment: u64) -> Stretch {
        Stretch {
            start: self.start(segment),
            first: 0,
            count: self.length,
        }
    }
}

/// Neighbouring items of a segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    /// Where the first one is, in items.
    pub start: i64,
    /// Its number in the segment.
    pub first: u64,
    pub count: u64,
}

kernels! {
    "reduce": reduce(Reduce { from: *mut u8, to: *mut u8, segments: Segments, parts: u64, each: u64 });
    sum_u8 <Sum, u8>; sum_u16 <Sum, u16>; sum_u32 <Sum, u32>; sum_u64 <Sum, u64>; sum_f32 <Sum, f32>;
    sum_f64 <Sum, f64>; sum_f16 <Sum, F16>; sum_bf16 <Sum, Bf16>;
    product_u8 <Product, u8>; product_u16 <Product, u16>; product_u32 <Product, u32>; product_u64 <Product, u64>;
    product_f32 <Product, f32>; product_f64 <Product, f64>; product_f16 <Product, F16>; product_bf16 <Product, Bf16>;
    min_i8 <Min, i8>; min_i16 <Min, i16>; min_i32 <Min, i32>; min_i64 <Min, i64>; min_u8 <Min, u8>;
    min_u16 <Min, u16>; min_u32 <Min, u32>; min_u64 <Min, u64>; min_f32 <Min, f32>; min_f64 <Min, f64>;
    min_f16 <Min, F16>; min_bf16 <Min, Bf16>;
    max_i8 <Max, i8>; max_i16 <Max, i16>; max_i32 <Max, i32>; max_i64 <Max, i64>; max_u8 <Max, u8>;
    max_u16 <Max, u16>; max_u32 <Max, u32>; max_u64 <Max, u64>; max_f32 <Max, f32>; max_f64 <Max, f64>;
    max_f16 <Max, F16>; max_bf16 <Max, Bf16>;
    and_u8 <And, u8>; and_u16 <And, u16>; and_u32 <And, u32>; and_u64 <And, u64>;
    or_u8 <Or, u8>; or_u16 <Or, u16>; or_u32 <Or, u32>; or_u64 <Or, u64>;
}

/// Items that are `stride` apart, one after the other; four are loaded at once.
#[inline(always)]
pub(super) unsafe fn column<O: Operation<S::Value>, S: Source>(from: *const S, stride: i64, count: u64) -> S::Value {
    // SAFETY: by contract these are items.
    let item = |k: u64| unsafe { *from.offset((k as i64 * stride) as isize) }.value();
    let mut all = O::IDENTITY;
    let mut k = 0;
    while k + 3 < count {
        let [a, b, c, d] = [item(k), item(k + 1), item(k + 2), item(k + 3)];
        all = O::join(O::join(O::join(O::join(all, a), b), c), d);
        k += 4;
    }
    while k < count {
        all = O::join(all, item(k));
        k += 1;
    }
    all
}

/// Bytes that caches hold: one row at a time of more than these is read faster than four, as one stream.
#[cfg(not(target_arch = "nvptx64"))]
const NEAR: u64 = 4 << 20;

/// What becomes of `count` items, which threads share as on a GPU: row by row, each with an item for every thread. `near`: caches hold them.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
fn rows<O: Operation<S::Value>, S: Source>(item: impl Fn(usize) -> S::Value, count: usize, near: bool) -> S::Value {
    const WIDTH: usize = crate::launch::THREADS as usize;
    let mut memory = crate::grid::Results::uninit();
    let width = count.next_power_of_two().min(WIDTH);
    let threads = memory.filled(width, |_| O::IDENTITY);
    let mut first = 0;
    // Four rows at a time: what threads have is loaded and stored once for all of them.
    while near && first + 4 * WIDTH <= count {
        for (k, one) in threads.iter_mut().enumerate() {
            let items: [_; 4] = core::array::from_fn(|row| item(first + row * WIDTH + k));
            *one = items.into_iter().fold(*one, O::join);
        }
        first += 4 * WIDTH;
    }
    while first + WIDTH <= count {
        for (k, one) in threads.iter_mut().enumerate() {
            *one = O::join(*one, item(first + k));
        }
        first += WIDTH;
    }
    for (one, k) in threads.iter_mut().zip(first..count) {
        *one = O::join(*one, item(k));
    }
    let mut rest = threads;
    while rest.len() > 1 {
        let (one, two) = rest.split_at_mut(rest.len() / 2);
        for (a, b) in one.iter_mut().zip(two) {
            *a = O::join(*a, *b);
        }
        rest = one;
    }
    rest[0]
}

/// Results of each of `parts` parts of each segment, of `each` items. Shared memory holds an item for each thread, of which there is a
/// power of two.
#[inline(always)]
unsafe fn reduce<O: Operation<S::Value>, S: Source, G: Grid>(g: G, a: Reduce) {
    #[cfg(not(target_arch = "nvptx64"))]
    let near = {
        let items = a.segments.count.saturating_mul(a.segments.length);
        items.saturating_mul(size_of::<S>() as u64) <= NEAR
    };
    g.units(a.segments.count * a.parts, |unit| {
        // SAFETY: there is a unit, so there are parts.
        let Stretch { start, count, .. } = unsafe { a.segments.part_in_row(unit, a.parts, a.each) };
        // SAFETY: by contract the segment's items are there.
        let from = unsafe { a.from.cast::<S>().offset(start as isize) };
        // SAFETY: by contract there is room for the results of all units.
        let to = unsafe { at::<S::Value>(a.to, unit) };
        let stride = a.segments.stride;
        #[cfg(not(target_arch = "nvptx64"))]
        // SAFETY: these are items, and the place of a result.
        unsafe {
            to.write(match stride {
                1 => rows::<O, S>(|k| (*from.add(k)).value(), count as usize, near),
                _ => rows::<O, S>(
                    |k| (*from.offset(k as isize * stride as isize)).value(),
                    count as usize,
                    near,
                ),
            });
        }
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: by contract there is an item of shared memory for each thread.
        unsafe {
            of_block::<O, S, G>(g, from, stride, count);
            g.phase_of(1, |_| to.write(*g.shared().cast()));
        }
    });
}

/// What becomes of `count` items, at the front of shared memory. Thread `t` has those with numbers `t`, `t + threads`, ..
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
unsafe fn of_block<O: Operation<S::Value>, S: Source, G: Grid>(g: G, from: *const S, stride: i64, count: u64) {
    let shared = g.shared().cast::<S::Value>();
    g.phase(|thread| {
        // SAFETY: by contract the items are there, and room for a result of each thread.
        unsafe {
            let step = g.threads() as u64;
            let items = count.saturating_sub(thread as u64).div_ceil(step);
            *shared.add(thread as usize) = column::<O, S>(
                from.offset((thread as i64 * stride) as isize),
                step as i64 * stride,
                items,
            );
        };
    });
    // All other threads have no items.
    let mut half = (count.min(g.threads() as u64) as u32).next_power_of_two() / 2;
    while half > 0 {
        g.phase_of(half, |thread| {
            // SAFETY: both are items of threads.
            unsafe {
                let item = shared.add(thread as usize);
                *item = O::join(*item, *item.add(half as usize));
            }
        });
        half /= 2;
    }
}
