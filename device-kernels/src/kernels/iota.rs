//! Integers at equal distances.

use super::at;
use crate::entry::kernels;
use crate::grid::Grid;
use crate::number::Number;

kernels! {
    "sequence": iota(Iota { to: *mut u8, count: u64, start: u64, step: u64 });
    iota_u8 <u8>; iota_u16 <u16>; iota_u32 <u32>; iota_u64 <u64>;
}

/// Element `i` is `start + i * step`, wrapping.
#[inline(always)]
unsafe fn iota<T: Number, G: Grid>(g: G, a: Iota) {
    let (start, step) = (T::of(a.start), T::of(a.step));
    g.each(a.count, |index: u64| {
        // SAFETY: by contract there are `count` elements.
        unsafe { at::<T>(a.to, index).write(start.plus(T::of(index).times(step))) };
    });
}
