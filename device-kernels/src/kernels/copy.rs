//! Copy between two strided arrays of up to three axes and less than 2^31 words.

use crate::entry::kernels;
use crate::grid::Grid;

/// Division by a number that is known before the launch: `n / by` for `n` and `by` below 2^31.
#[derive(Clone, Copy, Debug)]
pub struct Divisor {
    pub(crate) by: u32,
    pub(crate) magic: u32,
    pub(crate) shift: u32,
}

impl Divisor {
    /// Quotient and remainder.
    #[inline(always)]
    #[must_use]
    pub fn split(self, n: u32) -> (u32, u32) {
        let high = ((n as u64 * self.magic as u64) >> 32) as u32;
        let quotient = high.wrapping_add(n) >> self.shift;
        (quotient, n.wrapping_sub(quotient.wrapping_mul(self.by)))
    }
}

/// Where words lie: strides in bytes, the last axis varies fastest.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Axes {
    pub from: [i64; 3],
    pub to: [i64; 3],
}

kernels! {
    "copy": copy(CopySmall {
        from: *mut u8, to: *mut u8, count: u32,
        middle: u32, middle_magic: u32, middle_shift: u32, last: u32, last_magic: u32, last_shift: u32, axes: Axes
    });
    copy_1 <u8>; copy_2 <u16>; copy_4 <u32>; copy_8 <u64>; copy_16 <u128>;
}

/// `middle` and `last` are divisors by the extents of the last two axes. Addresses are multiples of a word. What is written twice has one of its values.
#[inline(always)]
unsafe fn copy<W: Copy, G: Grid>(g: G, a: CopySmall) {
    let word = |from: i64, to: i64| {
        // SAFETY: by contract the arrays hold these words.
        unsafe { *a.to.offset(to as isize).cast::<W>() = *a.from.offset(from as isize).cast::<W>() };
    };
    if a.count == a.last {
        return g.each(a.count, |k| word(k as i64 * a.axes.from[2], k as i64 * a.axes.to[2]));
    }
    let divisor = |by, magic, shift| Divisor { by, magic, shift };
    let middle = divisor(a.middle, a.middle_magic, a.middle_shift);
    let last = divisor(a.last, a.last_magic, a.last_shift);
    g.each(a.count, |index| {
        let (rest, k) = last.split(index);
        let (i, j) = middle.split(rest);
        let offset = |s: &[i64; 3]| i as i64 * s[0] + j as i64 * s[1] + k as i64 * s[2];
        word(offset(&a.axes.from), offset(&a.axes.to));
    });
}
