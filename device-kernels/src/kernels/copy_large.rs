//! Copy between two strided arrays of any size.

use crate::entry::kernels;
use crate::grid::Grid;

/// Axes of one launch.
pub(crate) const AXES: usize = 8;

/// Where words lie: strides in bytes, the last axis varies fastest.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct LargeAxes {
    pub extents: [u64; AXES],
    pub from: [i64; AXES],
    pub to: [i64; AXES],
}

kernels! {
    "copy_large": copy(CopyLarge { from: *mut u8, to: *mut u8, count: u64, axes: LargeAxes });
    copy_large_1 <u8>; copy_large_2 <u16>; copy_large_4 <u32>; copy_large_8 <u64>; copy_large_16 <u128>;
}

/// Addresses are multiples of a word. What is written twice has one of its values.
#[inline(always)]
unsafe fn copy<W: Copy, G: Grid>(g: G, a: CopyLarge) {
    g.each(a.count, |index| {
        let (from, to) = offsets(&a.axes, index);
        // SAFETY: by contract the arrays hold these words.
        unsafe { *a.to.offset(to as isize).cast::<W>() = *a.from.offset(from as isize).cast::<W>() };
    });
}

/// Bytes from the start to the word with this number, in both arrays.
#[inline(always)]
fn offsets(axes: &LargeAxes, index: u64) -> (i64, i64) {
    let (mut rest, mut from, mut to) = (index, 0, 0);
    let mut axis = AXES;
    while axis > 0 {
        axis -= 1;
        let extent = axes.extents[axis];
        let k = if extent <= 1 {
            0
        } else {
            let quotient = rest / extent;
            let k = rest - quotient * extent;
            rest = quotient;
            k
        };
        from += k as i64 * axes.from[axis];
        to += k as i64 * axes.to[axis];
    }
    (from, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_beyond_2_to_the_32() {
        let axes = LargeAxes {
            extents: [1, 1, 1, 1, 3, 70_001, 5, 100_003],
            from: [0, 0, 0, 0, 70_001 * 5 * 100_003 * 4, 5 * 100_003 * 4, 100_003 * 4, 4],
            to: [0, 0, 0, 0, -8, 24, 70_001 * 24, 5 * 70_001 * 24],
        };
        for index in [
            0,
            1,
            100_003,
            (1 << 31) + 17,
            4_294_967_296,
            3 * 70_001 * 5 * 100_003 - 1,
        ] {
            let (mut rest, mut expected) = (index, 0_i128);
            for axis in (4..8).rev() {
                expected += i128::from(rest % axes.extents[axis]) * i128::from(axes.to[axis]);
                rest /= axes.extents[axis];
            }
            let (from, to) = offsets(&axes, index);
            assert_eq!((i128::from(from), i128::from(to)), (i128::from(index) * 4, expected));
        }
    }
}
