//! Reductions in which one thread has all items of a result: many results of few items.

use super::at;
use super::reduce::{And, Max, Min, Operation, Or, Product, Segments, Sum, chains};
use crate::entry::kernels;
use crate::grid::Grid;
use crate::half::{Bf16, F16};
use crate::number::Source;

kernels! {
    "fold": fold(Fold { from: *mut u8, to: *mut u8, segments: Segments });
    fold_sum_u8 <Sum, u8>; fold_sum_u16 <Sum, u16>; fold_sum_u32 <Sum, u32>; fold_sum_u64 <Sum, u64>;
    fold_sum_f32 <Sum, f32>; fold_sum_f64 <Sum, f64>; fold_sum_f16 <Sum, F16>; fold_sum_bf16 <Sum, Bf16>;
    fold_product_u8 <Product, u8>; fold_product_u16 <Product, u16>; fold_product_u32 <Product, u32>;
    fold_product_u64 <Product, u64>; fold_product_f32 <Product, f32>; fold_product_f64 <Product, f64>;
    fold_product_f16 <Product, F16>; fold_product_bf16 <Product, Bf16>;
    fold_min_i8 <Min, i8>; fold_min_i16 <Min, i16>; fold_min_i32 <Min, i32>; fold_min_i64 <Min, i64>;
    fold_min_u8 <Min, u8>; fold_min_u16 <Min, u16>; fold_min_u32 <Min, u32>; fold_min_u64 <Min, u64>;
    fold_min_f32 <Min, f32>; fold_min_f64 <Min, f64>; fold_min_f16 <Min, F16>; fold_min_bf16 <Min, Bf16>;
    fold_max_i8 <Max, i8>; fold_max_i16 <Max, i16>; fold_max_i32 <Max, i32>; fold_max_i64 <Max, i64>;
    fold_max_u8 <Max, u8>; fold_max_u16 <Max, u16>; fold_max_u32 <Max, u32>; fold_max_u64 <Max, u64>;
    fold_max_f32 <Max, f32>; fold_max_f64 <Max, f64>; fold_max_f16 <Max, F16>; fold_max_bf16 <Max, Bf16>;
    fold_and_u8 <And, u8>; fold_and_u16 <And, u16>; fold_and_u32 <And, u32>; fold_and_u64 <And, u64>;
    fold_or_u8 <Or, u8>; fold_or_u16 <Or, u16>; fold_or_u32 <Or, u32>; fold_or_u64 <Or, u64>;
}

/// One result for each segment.
#[inline(always)]
unsafe fn fold<O: Operation<S::Value>, S: Source, G: Grid>(g: G, a: Fold) {
    g.each(a.segments.count, |segment| {
        // SAFETY: by contract the segment's items are there, and room for its result.
        unsafe {
            let from = a.from.cast::<S>().offset(a.segments.start(segment) as isize);
            at::<S::Value>(a.to, segment).write(chains::<O, S>(from, &a.segments, 0, 1));
        }
    });
}
