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
}

kernels! {
    "reduce": reduce(Reduce { from: *mut u8, to: *mut u8, segments: Segments, parts: u64 });
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

/// The items with numbers `first`, `first + step`, .. below `length`, from four chains: loads do not wait for each other.
#[inline(always)]
pub(super) unsafe fn chains<O: Operation<S::Value>, S: Source>(
    from: *const S,
    s: &Segments,
    first: u64,
    step: u64,
) -> S::Value {
    // SAFETY: by contract these are items.
    let item = |k: u64| unsafe { *from.offset((k as i64 * s.stride) as isize) }.value();
    let mut all = [O::IDENTITY; 4];
    let mut k = first;
    while k + 3 * step < s.length {
        all[0] = O::join(all[0], item(k));
        all[1] = O::join(all[1], item(k + step));
        all[2] = O::join(all[2], item(k + 2 * step));
        all[3] = O::join(all[3], item(k + 3 * step));
        k += 4 * step;
    }
    while k < s.length {
        all[0] = O::join(all[0], item(k));
        k += step;
    }
    O::join(O::join(all[0], all[1]), O::join(all[2], all[3]))
}

/// Results of each of `parts` parts of each segment. Shared memory holds an item for each thread, of which there is a
/// power of two.
#[inline(always)]
unsafe fn reduce<O: Operation<S::Value>, S: Source, G: Grid>(g: G, a: Reduce) {
    let shared = g.shared().cast::<S::Value>();
    let threads = g.threads() as u64;
    let mut unit = g.block() as u64;
    while unit < a.segments.count * a.parts {
        let (segment, part) = if a.parts == 1 {
            (unit, 0)
        } else {
            // SAFETY: there is a unit, so there are parts.
            unsafe { split(unit, a.parts) }
        };
        // SAFETY: by contract the segment's items are there.
        let from = unsafe { a.from.cast::<S>().offset(a.segments.start(segment) as isize) };
        g.phase(|thread| {
            let first = part * threads + thread as u64;
            // SAFETY: as above; there is an item of shared memory for each thread.
            unsafe { *shared.add(thread as usize) = chains::<O, S>(from, &a.segments, first, a.parts * threads) };
        });
        let mut half = g.threads() / 2;
        while half > 0 {
            g.phase(|thread| {
                if thread < half {
                    // SAFETY: both are items of threads.
                    unsafe {
                        let item = shared.add(thread as usize);
                        *item = O::join(*item, *item.add(half as usize));
                    }
                }
            });
            half /= 2;
        }
        g.phase(|thread| {
            if thread == 0 {
                // SAFETY: by contract there is room for the results of all units.
                unsafe { at::<S::Value>(a.to, unit).write(*shared) };
            }
        });
        unit += g.blocks() as u64;
    }
}
