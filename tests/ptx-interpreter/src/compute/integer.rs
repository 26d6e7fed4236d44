//! Integers (9.7.1, 9.7.2).

/// An integer type, whose values are the lowest bits of a register.
pub(crate) trait Integer: Copy + Ord {
    const BITS: u32;
    fn of(bits: u64) -> Self;
    /// Without the sign beyond its own bits.
    fn bits(self) -> u64;
    /// Wide enough for every product.
    fn wide(self) -> i128;
    fn cut(wide: i128) -> Self;
    fn div(self, by: Self) -> Option<Self>;
    fn rem(self, by: Self) -> Option<Self>;
    fn shr(self, by: u32) -> Self;
}

macro_rules! integers {
    ($($ty:ident $bits:ident)*) => {$(
        impl Integer for $ty {
            const BITS: u32 = $ty::BITS;
            fn of(bits: u64) -> $ty {
                bits as $ty
            }
            fn bits(self) -> u64 {
                u64::from(self as $bits)
            }
            fn wide(self) -> i128 {
                i128::from(self)
            }
            fn cut(wide: i128) -> $ty {
                wide as $ty
            }
            fn div(self, by: $ty) -> Option<$ty> {
                (by != 0).then(|| self.wrapping_div(by))
            }
            fn rem(self, by: $ty) -> Option<$ty> {
                (by != 0).then(|| self.wrapping_rem(by))
            }
            fn shr(self, by: u32) -> $ty {
                // Beyond the width all bits are the sign, or zero.
                match self.checked_shr(by) {
                    Some(shifted) => shifted,
                    None if $ty::MIN != 0 => self >> ($ty::BITS - 1),
                    None => 0,
                }
            }
        }
    )*};
}
integers! { u8 u8 i8 u8 u16 u16 i16 u16 u32 u32 i32 u32 u64 u64 i64 u64 }

pub(crate) fn add<T: Integer>(a: u64, b: u64) -> u64 {
    T::of(a.wrapping_add(b)).bits()
}

pub(crate) fn sub<T: Integer>(a: u64, b: u64) -> u64 {
    T::of(a.wrapping_sub(b)).bits()
}

pub(crate) fn mul_lo<T: Integer>(a: u64, b: u64) -> u64 {
    T::of(a.wrapping_mul(b)).bits()
}

/// The upper half of the product.
pub(crate) fn mul_hi<T: Integer>(a: u64, b: u64) -> u64 {
    let product = T::of(a).wide().wrapping_mul(T::of(b).wide());
    T::cut(product >> T::BITS).bits()
}

/// The whole product, of twice the bits.
pub(crate) fn mul_wide<T: Integer>(a: u64, b: u64) -> u64 {
    let product = T::of(a).wide() * T::of(b).wide();
    product as u64 & (u64::MAX >> (64 - 2 * T::BITS))
}

pub(crate) fn mad_lo<T: Integer>(a: u64, b: u64, c: u64) -> u64 {
    T::of(a.wrapping_mul(b).wrapping_add(c)).bits()
}

pub(crate) fn mad_hi<T: Integer>(a: u64, b: u64, c: u64) -> u64 {
    add::<T>(mul_hi::<T>(a, b), c)
}

pub(crate) fn mad_wide<T: Integer>(a: u64, b: u64, c: u64) -> u64 {
    mul_wide::<T>(a, b).wrapping_add(c) & (u64::MAX >> (64 - 2 * T::BITS))
}

pub(crate) fn div<T: Integer>(a: u64, b: u64) -> Option<u64> {
    T::of(a).div(T::of(b)).map(T::bits)
}

pub(crate) fn rem<T: Integer>(a: u64, b: u64) -> Option<u64> {
    T::of(a).rem(T::of(b)).map(T::bits)
}

pub(crate) fn abs<T: Integer>(a: u64) -> u64 {
    T::cut(T::of(a).wide().abs()).bits()
}

pub(crate) fn neg<T: Integer>(a: u64) -> u64 {
    T::of(a.wrapping_neg()).bits()
}

pub(crate) fn min<T: Integer>(a: u64, b: u64) -> u64 {
    T::of(a).min(T::of(b)).bits()
}

pub(crate) fn max<T: Integer>(a: u64, b: u64) -> u64 {
    T::of(a).max(T::of(b)).bits()
}

pub(crate) fn shr<T: Integer>(a: u64, by: u64) -> u64 {
    T::of(a).shr(by as u32).bits()
}

pub(crate) fn shl<T: Integer>(a: u64, by: u64) -> u64 {
    let by = by as u32;
    let shifted = if by < T::BITS { a << by } else { 0 };
    T::of(shifted).bits()
}

pub(crate) fn compare<T: Integer>(a: u64, b: u64) -> std::cmp::Ordering {
    T::of(a).cmp(&T::of(b))
}

/// `a + b` and the carry, of 32 bits; the others below likewise take and give it in the lowest bit.
pub(crate) fn add_carry(a: u64, b: u64, _: u64, _: u64) -> (u64, u64) {
    addc_carry(a, b, 0, 0)
}

pub(crate) fn addc_carry(a: u64, b: u64, _: u64, carry: u64) -> (u64, u64) {
    let sum = u64::from(a as u32) + u64::from(b as u32) + carry;
    (sum & 0xffff_ffff, sum >> 32)
}

pub(crate) fn sub_carry(a: u64, b: u64, _: u64, _: u64) -> (u64, u64) {
    subc_carry(a, b, 0, 0)
}

/// The carry is the borrow.
pub(crate) fn subc_carry(a: u64, b: u64, _: u64, borrow: u64) -> (u64, u64) {
    let difference = u64::from(a as u32)
        .wrapping_sub(u64::from(b as u32))
        .wrapping_sub(borrow);
    (difference & 0xffff_ffff, difference >> 63)
}

pub(crate) fn mad_lo_carry(a: u64, b: u64, c: u64, carry: u64) -> (u64, u64) {
    addc_carry(mul_lo::<u32>(a, b), c, 0, carry)
}

pub(crate) fn mad_hi_carry(a: u64, b: u64, c: u64, carry: u64) -> (u64, u64) {
    addc_carry(mul_hi::<u32>(a, b), c, 0, carry)
}
