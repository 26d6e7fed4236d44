//! Bits (9.7.1, 9.7.8).

pub(crate) fn and(a: u64, b: u64) -> u64 {
    a & b
}

pub(crate) fn or(a: u64, b: u64) -> u64 {
    a | b
}

pub(crate) fn xor(a: u64, b: u64) -> u64 {
    a ^ b
}

/// Of `BITS` bits; 1 for a predicate.
pub(crate) fn not<const BITS: u32>(a: u64) -> u64 {
    !a & (u64::MAX >> (64 - BITS))
}

pub(crate) fn popc_32(a: u64) -> u64 {
    u64::from((a as u32).count_ones())
}

pub(crate) fn popc_64(a: u64) -> u64 {
    u64::from(a.count_ones())
}

pub(crate) fn clz_32(a: u64) -> u64 {
    u64::from((a as u32).leading_zeros())
}

pub(crate) fn clz_64(a: u64) -> u64 {
    u64::from(a.leading_zeros())
}

pub(crate) fn brev_32(a: u64) -> u64 {
    u64::from((a as u32).reverse_bits())
}

pub(crate) fn brev_64(a: u64) -> u64 {
    a.reverse_bits()
}

/// Four bytes of `b:a`, as the selector's digits say; a digit's highest bit takes the byte's sign.
pub(crate) fn permute(a: u64, b: u64, selector: u64) -> u64 {
    let bytes = a & 0xffff_ffff | b << 32;
    let mut result = 0;
    for k in 0..4 {
        let digit = selector >> (4 * k) & 15;
        let byte = bytes >> (8 * (digit & 7)) & 255;
        let byte = if digit < 8 { byte } else { (byte >> 7) * 255 };
        result |= byte << (8 * k);
    }
    result
}

/// So many lowest bits.
fn ones(length: u64) -> u64 {
    u64::MAX.checked_shr(64 - length.min(64) as u32).unwrap_or(0)
}

/// `c` and `d`, position and length, are taken modulo 256; bits beyond the highest are 0.
pub(crate) fn extract_u32(a: u64, start: u64, length: u64) -> u64 {
    extract_u64(a & 0xffff_ffff, start, length)
}

pub(crate) fn extract_u64(a: u64, start: u64, length: u64) -> u64 {
    a.checked_shr(start as u32 & 255).unwrap_or(0) & ones(length & 255)
}

/// The lowest bits of `a` in `b`, from a place on.
pub(crate) fn insert_32(a: u64, b: u64, start: u64, length: u64) -> u64 {
    insert_64(a, b & 0xffff_ffff, start, length) & 0xffff_ffff
}

pub(crate) fn insert_64(a: u64, b: u64, start: u64, length: u64) -> u64 {
    let mask = ones(length & 255).checked_shl(start as u32 & 255).unwrap_or(0);
    b & !mask | a.checked_shl(start as u32 & 255).unwrap_or(0) & mask
}

/// The upper half of `b:a`, shifted left modulo 32.
pub(crate) fn funnel_left_wrap(a: u64, b: u64, by: u64) -> u64 {
    funnel_left(a, b, by & 31)
}

pub(crate) fn funnel_left_clamp(a: u64, b: u64, by: u64) -> u64 {
    funnel_left(a, b, (by & 0xffff_ffff).min(32))
}

/// The lower half of `b:a`, shifted right modulo 32.
pub(crate) fn funnel_right_wrap(a: u64, b: u64, by: u64) -> u64 {
    funnel_right(a, b, by & 31)
}

pub(crate) fn funnel_right_clamp(a: u64, b: u64, by: u64) -> u64 {
    funnel_right(a, b, (by & 0xffff_ffff).min(32))
}

fn funnel_left(a: u64, b: u64, by: u64) -> u64 {
    (a & 0xffff_ffff | b << 32) << by >> 32
}

fn funnel_right(a: u64, b: u64, by: u64) -> u64 {
    (a & 0xffff_ffff | b << 32) >> by & 0xffff_ffff
}

/// Two halves of `a` times two bytes of `b`, from the lowest or the third on, plus `c`.
pub(crate) fn dot_2<const HIGH: bool, const A: bool, const B: bool>(a: u64, b: u64, c: u64) -> u64 {
    let b = if HIGH { b >> 16 } else { b };
    let product = |k: u32| part::<A>(a >> (16 * k), 16).wrapping_mul(part::<B>(b >> (8 * k), 8));
    (0..2).map(product).fold(c, u64::wrapping_add) & 0xffff_ffff
}

pub(crate) fn dot_4<const A: bool, const B: bool>(a: u64, b: u64, c: u64) -> u64 {
    let product = |k: u32| part::<A>(a >> (8 * k), 8).wrapping_mul(part::<B>(b >> (8 * k), 8));
    (0..4).map(product).fold(c, u64::wrapping_add) & 0xffff_ffff
}

/// The lowest bits, with their sign or without.
fn part<const SIGNED: bool>(word: u64, bits: u32) -> u64 {
    let up = word << (64 - bits);
    match SIGNED {
        true => (up.cast_signed() >> (64 - bits)).cast_unsigned(),
        false => up >> (64 - bits),
    }
}

pub(crate) fn sign_32(a: u64, b: u64) -> u64 {
    b & 0x7fff_ffff | a & 0x8000_0000
}

pub(crate) fn sign_64(a: u64, b: u64) -> u64 {
    b & !(1 << 63) | a & 1 << 63
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_extracted_and_inserted() {
        assert_eq!(extract_u32(0x1234_5678, 8, 12), 0x456);
        assert_eq!(extract_u32(0xffff_ffff_8000_0000, 31, 8), 1);
        assert_eq!(extract_u32(0xffff_ffff, 0, 64), 0xffff_ffff);
        assert_eq!(
            (extract_u32(0xffff_ffff, 64, 4), extract_u32(0xffff_ffff, 4, 0)),
            (0, 0)
        );
        assert_eq!(insert_32(0xab, 0x1111_1111, 8, 8), 0x1111_ab11);
        assert_eq!(insert_32(0xffff, 0, 28, 8), 0xf000_0000);
        assert_eq!(insert_64(0x1ff, 0, 52, 11), 0x1ff0_0000_0000_0000);
        assert_eq!(insert_64(7, 5, 64, 3), 5);
    }

    #[test]
    fn bytes_are_permuted() {
        assert_eq!(permute(0x3322_1100, 0x7766_5544, 0x7610), 0x7766_1100);
        assert_eq!(permute(0x80, 0, 0x8880), 0xffff_ff80);
    }

    #[test]
    fn funnels_shift_both_words() {
        assert_eq!(funnel_left_wrap(0x8000_0001, 0x1234_5678, 4), 0x2345_6788);
        assert_eq!(funnel_right_wrap(0x8000_0001, 0x1234_5678, 4), 0x8800_0000);
        assert_eq!(funnel_left_wrap(1, 2, 32), 2);
        assert_eq!((funnel_left_clamp(1, 2, 40), funnel_right_clamp(1, 2, 40)), (1, 2));
    }

    #[test]
    fn products_are_summed() {
        assert_eq!(
            dot_2::<false, false, false>(0x0003_0002, 0x0705_0b0a, 1),
            2 * 10 + 3 * 11 + 1
        );
        assert_eq!(
            dot_2::<true, false, false>(0x0003_0002, 0x0705_0b0a, 1),
            2 * 5 + 3 * 7 + 1
        );
        assert_eq!(dot_4::<false, false>(0x0403_0201, 0x0101_0101, 0xffff_ffff), 9);
    }
}
