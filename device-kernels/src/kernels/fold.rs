//! Reductions in which one thread has all items of a result, or of a part of them: results that are neighbours, or of few items.

use super::at;
use super::reduce::{And, Max, Min, Operation, Or, Product, Segments, Stretch, Sum, column};
use crate::entry::kernels;
use crate::grid::Grid;
#[cfg(not(target_arch = "nvptx64"))]
use crate::grid::Results;
use crate::half::{Bf16, F16};
use crate::number::Source;

kernels! {
    "fold": fold(Fold { from: *mut u8, to: *mut u8, segments: Segments, parts: u64, each: u64 });
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

/// One result for each part of each segment: all of the first part come first, within what is outside of the axis. Parts have `each`
/// items, which are joined one after the other.
#[inline(always)]
unsafe fn fold<O: Operation<S::Value>, S: Source, G: Grid>(g: G, a: Fold) {
    let s = a.segments;
    let place = |unit: u64| {
        // SAFETY: there is a unit, so there are parts.
        let Stretch { start, count, .. } = unsafe { s.part_across(unit, a.parts, a.each) };
        // SAFETY: by contract the segment's items are there, and room for its result.
        unsafe {
            (
                a.from.cast::<S>().offset(start as isize),
                count,
                at::<S::Value>(a.to, unit),
            )
        }
    };
    #[cfg(not(target_arch = "nvptx64"))]
    if s.inner > 1 {
        return g.runs(s.count * a.parts, s.inner, |unit, run| {
            let (from, count, to) = place(unit);
            // SAFETY: as above, for all of the run.
            unsafe {
                match s.inner_stride {
                    1 => columns::<O, S>(|row, k| (*row.add(k)).value(), from, s.stride, count, to, run),
                    across => columns::<O, S>(
                        |row, k| (*row.offset(k as isize * across as isize)).value(),
                        from,
                        s.stride,
                        count,
                        to,
                        run,
                    ),
                }
            }
        });
    }
    g.each(s.count * a.parts, |unit| {
        let (from, count, to) = place(unit);
        // SAFETY: as above.
        unsafe { to.write(column::<O, S>(from, s.stride, count)) };
    });
}

/// The results of `run` neighbours, row by row.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
unsafe fn columns<O: Operation<S::Value>, S: Source>(
    item: impl Fn(*const S, usize) -> S::Value,
    from: *const S,
    stride: i64,
    count: u64,
    to: *mut S::Value,
    run: usize,
) {
    // Results of their own: LLVM need not ask whether they overlap with items.
    let mut memory = Results::uninit();
    let all = memory.filled(run, |_| O::IDENTITY);
    // SAFETY: by contract these are rows of items.
    let row = |k: u64| unsafe { from.offset((k as i64 * stride) as isize) };
    let mut k = 0;
    // Of short rows several at a time. Of long ones memory is read faster one by one.
    while run <= 64 && k + 3 < count {
        let [a, b, c, d] = [row(k), row(k + 1), row(k + 2), row(k + 3)];
        for (k, one) in all.iter_mut().enumerate() {
            *one = O::join(
                O::join(O::join(O::join(*one, item(a, k)), item(b, k)), item(c, k)),
                item(d, k),
            );
        }
        k += 4;
    }
    while k < count {
        let row = row(k);
        for (k, one) in all.iter_mut().enumerate() {
            *one = O::join(*one, item(row, k));
        }
        k += 1;
    }
    // SAFETY: by contract there is room for the results.
    unsafe { to.copy_from_nonoverlapping(all.as_ptr(), run) };
}
