//! Elements that are only moved: words of a power of two of bytes.

/// A word of 1, 2, 4, 8 or 16 bytes.
pub(crate) trait Word: Copy {
    /// The word at byte `offset` of the pattern, whose length is at most 64; both are multiples of the word's size.
    fn of_pattern(pattern: &[u64; 8], offset: u32) -> Self;
}

/// One of eight, without a table in memory.
#[inline(always)]
fn select(pattern: &[u64; 8], k: u32) -> u64 {
    let [a, b, c, d, e, f, g, h] = *pattern;
    let either = |bit: u32, x: u64, y: u64| if k & bit == 0 { x } else { y };
    let low = either(2, either(1, a, b), either(1, c, d));
    let high = either(2, either(1, e, f), either(1, g, h));
    either(4, low, high)
}

macro_rules! word {
    ($($t:ident)*) => {$(
        impl Word for $t {
            #[inline(always)]
            fn of_pattern(pattern: &[u64; 8], offset: u32) -> Self {
                (select(pattern, offset / 8) >> (offset % 8 * 8)) as $t
            }
        }
    )*};
}
word!(u8 u16 u32 u64);

impl Word for u128 {
    #[inline(always)]
    fn of_pattern(pattern: &[u64; 8], offset: u32) -> Self {
        let (low, high) = (select(pattern, offset / 8), select(pattern, offset / 8 + 1));
        low as u128 | (high as u128) << 64
    }
}
