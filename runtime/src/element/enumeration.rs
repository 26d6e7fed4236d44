//! Enums without data: integers, of which not every value is one of the enum.

use swathe_ir::{Enum, Scalar, Type, Variant};

use super::KernelType;

/// An enum without data that is an element: what `#[derive(Element)]` says of it.
///
/// # Safety
/// In memory it is a `Number`, which is its discriminant, and 0 is one of its discriminants.
pub unsafe trait Enumeration: KernelType + Send + Sync {
    /// The integer that it is in memory.
    type Number: Number;

    /// Its discriminant.
    fn number(self) -> Self::Number;

    /// The value whose discriminant is 0.
    const ZERO: Self = {
        assert!(size_of::<Self>() == size_of::<Self::Number>());
        // SAFETY: by the word of the trait.
        unsafe { std::mem::zeroed() }
    };
}

/// An integer that an enum may be in memory.
pub trait Number: Copy + Send + Sync + 'static {
    /// The scalar.
    const SCALAR: Scalar;
}

/// The integer of a size in bytes, with or without a sign.
#[derive(Debug)]
pub struct NumberOf<const SIZE: usize, const SIGNED: bool>;

/// Tells it.
pub trait IsNumber {
    /// What it is.
    type Is: Number;
}

macro_rules! numbers {
    ($($t:ident $scalar:ident $size:literal $signed:literal;)*) => {$(
        impl Number for $t {
            const SCALAR: Scalar = Scalar::$scalar;
        }

        impl IsNumber for NumberOf<$size, $signed> {
            type Is = $t;
        }
    )*};
}
numbers! {
    u8 U8 1 false; u16 U16 2 false; u32 U32 4 false; u64 U64 8 false;
    i8 I8 1 true; i16 I16 2 true; i32 I32 4 true; i64 I64 8 true;
}

macro_rules! refused {
    ($($size:literal)*) => {$(
        impl IsNumber for NumberOf<$size, false> {
            type Is = u8;
        }

        impl IsNumber for NumberOf<$size, true> {
            type Is = i8;
        }
    )*};
}
// Sizes of enums that are no elements, which `fits` says: rustc then says nothing else.
refused! { 0 16 }

/// Whether an enum of this size can be an element.
#[must_use]
pub const fn fits(size: usize) -> bool {
    matches!(size, 1 | 2 | 4 | 8)
}

/// Whether a number is among others.
#[must_use]
pub const fn contains(numbers: &[i128], number: i128) -> bool {
    let mut k = 0;
    while k < numbers.len() {
        if numbers[k] == number {
            return true;
        }
        k += 1;
    }
    false
}

/// Whether one of the numbers is negative.
#[must_use]
pub const fn signed(numbers: &[i128]) -> bool {
    let mut k = 0;
    while k < numbers.len() {
        if numbers[k] < 0 {
            return true;
        }
        k += 1;
    }
    false
}

/// The integer with these bytes.
#[must_use]
pub const fn integer(bytes: &[u8], signed: bool) -> i128 {
    let (mut word, mut k) = (0_i128, 0);
    while k < bytes.len() {
        let place = if cfg!(target_endian = "little") {
            k
        } else {
            bytes.len() - 1 - k
        };
        word |= (bytes[k] as i128) << (8 * place);
        k += 1;
    }
    let bits = 8 * bytes.len();
    match signed && bits > 0 && word >> (bits - 1) != 0 {
        true => word - (1 << bits),
        false => word,
    }
}

/// The type, from its name, and the names and discriminants of its values.
#[must_use]
pub fn ty<E: Enumeration>(name: &str, variants: &[&str], numbers: &[i128]) -> Type {
    let variant = |(name, value): (&&str, &i128)| Variant {
        name: (*name).to_owned(),
        value: *value,
    };
    Type::Enum(Box::new(Enum {
        name: name.to_owned(),
        path: std::any::type_name::<E>().to_owned(),
        number: E::Number::SCALAR,
        variants: variants.iter().zip(numbers).map(variant).collect(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_integers_with_and_without_a_sign() {
        assert_eq!(integer(&(-3_i16).to_ne_bytes(), true), -3);
        assert_eq!(integer(&0x8001_u16.to_ne_bytes(), false), 0x8001);
        assert_eq!(integer(&i64::MIN.to_ne_bytes(), true), i128::from(i64::MIN));
        assert_eq!(integer(&u64::MAX.to_ne_bytes(), false), i128::from(u64::MAX));
        assert_eq!(integer(&[200], true), -56);
    }
}
