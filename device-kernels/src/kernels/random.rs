//! Random bits: Philox4x32-10, one stream for each element.

use super::at;
use crate::entry::kernels;
use crate::grid::Grid;

/// The first four words of stream `stream` of a seed: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw: Parallel random
/// numbers: as easy as 1, 2, 3. SC '11 (2011).
#[inline(always)]
pub(super) fn words(seed: u64, stream: u64) -> [u32; 4] {
    let mut c = [0, 0, stream as u32, (stream >> 32) as u32];
    let mut k = [seed as u32, (seed >> 32) as u32];
    let mut round = 0;
    while round < 10 {
        if round > 0 {
            k = [k[0].wrapping_add(0x9e37_79b9), k[1].wrapping_add(0xbb67_ae85)];
        }
        let p = 0xd251_1f53_u64 * c[0] as u64;
        let q = 0xcd9e_8d57_u64 * c[2] as u64;
        c = [
            (q >> 32) as u32 ^ c[1] ^ k[0],
            q as u32,
            (p >> 32) as u32 ^ c[3] ^ k[1],
            p as u32,
        ];
        round += 1;
    }
    c
}

/// What a stream begins with.
pub(super) trait Draw {
    fn draw(words: [u32; 4]) -> Self;
}

impl Draw for u32 {
    #[inline(always)]
    fn draw(words: [u32; 4]) -> Self {
        words[0]
    }
}

impl Draw for u64 {
    #[inline(always)]
    fn draw(words: [u32; 4]) -> Self {
        words[0] as u64 | (words[1] as u64) << 32
    }
}

kernels! {
    "random": random(Random { to: *mut u8, count: u64, seed: u64, first: u64 });
    random_u32 <u32>; random_u64 <u64>;
}

/// Element `i` is the first number of stream `first + i`.
#[inline(always)]
unsafe fn random<T: Draw, G: Grid>(g: G, a: Random) {
    g.each(a.count, |index: u64| {
        let value = T::draw(words(a.seed, a.first.wrapping_add(index)));
        // SAFETY: by contract there are `count` elements.
        unsafe { at::<T>(a.to, index).write(value) };
    });
}
