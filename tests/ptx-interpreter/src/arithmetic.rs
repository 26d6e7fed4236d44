//! What instructions compute.

use crate::instruction::{Binary, Comparison, Relation, Unary};
use crate::operand::{Kind, Type};

pub(crate) fn unary(op: Unary, ty: Type, a: u64) -> u64 {
    let result = match (op, ty.kind) {
        (Unary::Move, _) => a,
        (Unary::Not, Kind::Predicate) => a ^ 1,
        (Unary::Not, _) => !a,
        (Unary::CountOnes, _) => u64::from(ty.mask(a).count_ones()),
        (Unary::LeadingZeros, _) => u64::from(ty.mask(a).leading_zeros()) - (64 - u64::from(ty.bits)),
        (Unary::Negate, Kind::Float) => a ^ 1 << (ty.bits - 1),
        (Unary::Absolute, Kind::Float) => a & !(1 << (ty.bits - 1)),
        (Unary::Negate, _) => a.wrapping_neg(),
        (Unary::Absolute, _) => (ty.extend(a) as i64).unsigned_abs(),
    };
    ty.mask(result)
}

pub(crate) fn binary(op: Binary, ty: Type, a: u64, b: u64) -> Result<u64, String> {
    if ty.kind == Kind::Float {
        return match ty.bits {
            32 => float(op, f32::from_bits(a as u32), f32::from_bits(b as u32)).map(|x| u64::from(x.to_bits())),
            _ => float(op, f64::from_bits(a), f64::from_bits(b)).map(f64::to_bits),
        }
        .ok_or_else(|| format!("{op:?} of floats"));
    }
    if let Binary::ShiftLeft | Binary::ShiftRight = op {
        return Ok(shift(op, ty, a, b as u32));
    }
    let (a, b) = (ty.extend(a), ty.extend(b));
    let signed = ty.kind == Kind::Signed;
    let (i, j) = (a as i64, b as i64);
    let wide = || match signed {
        true => (i128::from(i) * i128::from(j)) as u128,
        false => u128::from(a) * u128::from(b),
    };
    if matches!(op, Binary::Divide | Binary::Remainder) && b == 0 {
        return Err("division by zero".to_owned());
    }
    let result = match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Subtract => a.wrapping_sub(b),
        Binary::Multiply => a.wrapping_mul(b),
        Binary::MultiplyHigh => (wide() >> ty.bits) as u64,
        Binary::MultiplyWide => {
            let double = Type {
                bits: ty.bits * 2,
                ..ty
            };
            return (ty.bits < 64)
                .then(|| double.mask(wide() as u64))
                .ok_or_else(|| "mul.wide of 64 bits".to_owned());
        }
        Binary::Divide if signed => i.wrapping_div(j) as u64,
        Binary::Remainder if signed => i.wrapping_rem(j) as u64,
        Binary::Divide => a / b,
        Binary::Remainder => a % b,
        Binary::Min if signed => i.min(j) as u64,
        Binary::Max if signed => i.max(j) as u64,
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::ShiftLeft | Binary::ShiftRight => unreachable!("above"),
    };
    Ok(ty.mask(result))
}

/// A shift by more than there are bits shifts all out.
fn shift(op: Binary, ty: Type, a: u64, by: u32) -> u64 {
    let value = ty.extend(a);
    let result = match (op, ty.kind) {
        (Binary::ShiftLeft, _) => value.checked_shl(by).unwrap_or(0),
        (_, Kind::Signed) => ((value as i64) >> by.min(63)) as u64,
        _ => value.checked_shr(by).unwrap_or(0),
    };
    ty.mask(result)
}

fn float<T>(op: Binary, a: T, b: T) -> Option<T>
where
    T: Copy + PartialOrd + std::ops::Add<Output = T> + std::ops::Sub<Output = T> + std::ops::Mul<Output = T>,
{
    // Of a number and NaN the number is the least and the greatest. Zeros of both signs do not occur together.
    Some(match op {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Min if nan(a) || b < a => b,
        Binary::Max if nan(a) || b > a => b,
        Binary::Min | Binary::Max => a,
        _ => return None,
    })
}

#[expect(clippy::eq_op, reason = "so it is defined")]
fn nan<T: PartialOrd>(a: T) -> bool {
    a != a
}

pub(crate) fn compare(comparison: Comparison, ty: Type, a: u64, b: u64) -> bool {
    match (ty.kind, ty.bits) {
        (Kind::Float, 32) => ordered(comparison, f32::from_bits(a as u32), f32::from_bits(b as u32)),
        (Kind::Float, _) => ordered(comparison, f64::from_bits(a), f64::from_bits(b)),
        (Kind::Signed, _) => ordered(comparison, ty.extend(a) as i64, ty.extend(b) as i64),
        _ => ordered(comparison, ty.mask(a), ty.mask(b)),
    }
}

fn ordered<T: PartialOrd + Copy>(comparison: Comparison, a: T, b: T) -> bool {
    let nan = nan(a) || nan(b);
    if nan && comparison.or_nan {
        return true;
    }
    match comparison.relation {
        Relation::Equal => a == b,
        Relation::NotEqual => !nan && a != b,
        Relation::Less => a < b,
        Relation::LessEqual => a <= b,
        Relation::Greater => a > b,
        Relation::GreaterEqual => a >= b,
        Relation::Numbers => !nan,
        Relation::Nan => nan,
    }
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

/// `length` bits of the lower 32 from `start` on, both taken modulo 256; bits beyond the highest are 0.
pub(crate) fn extract(a: u64, start: u64, length: u64) -> u64 {
    let (start, length) = (start as u8, length as u8);
    let bits = (a & 0xffff_ffff).checked_shr(u32::from(start)).unwrap_or(0);
    bits & !u64::MAX.checked_shl(u32::from(length)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ty: &str, op: Binary, a: u64, b: u64) -> u64 {
        binary(op, Type::parse(ty).unwrap(), a, b).unwrap()
    }

    #[test]
    fn integers() {
        assert_eq!(of("s32", Binary::Add, 0x7fff_ffff, 1), 0x8000_0000);
        assert_eq!(of("u32", Binary::MultiplyHigh, 0xffff_ffff, 0xffff_ffff), 0xffff_fffe);
        assert_eq!(of("s32", Binary::MultiplyWide, 0xffff_ffff, 5), (-5_i64) as u64);
        assert_eq!(of("s16", Binary::Min, 0xffff, 1), 0xffff);
        assert_eq!(of("u16", Binary::Min, 0xffff, 1), 1);
        assert_eq!(of("b32", Binary::ShiftLeft, 1, 32), 0);
        assert_eq!(of("s64", Binary::ShiftRight, (-8_i64) as u64, 100), u64::MAX);
        assert!(binary(Binary::Divide, Type::parse("u64").unwrap(), 1, 0).is_err());
    }

    #[test]
    fn floats() {
        let bits = |x: f32| u64::from(x.to_bits());
        assert_eq!(of("f32", Binary::Min, bits(f32::NAN), bits(2.0)), bits(2.0));
        assert_eq!(of("f32", Binary::Max, bits(2.0), bits(f32::NAN)), bits(2.0));
        let holds = |relation, or_nan, a, b| {
            compare(
                Comparison { relation, or_nan },
                Type::parse("f32").unwrap(),
                bits(a),
                bits(b),
            )
        };
        assert!(holds(Relation::Less, true, f32::NAN, 1.0) && !holds(Relation::Less, false, f32::NAN, 1.0));
        assert!(!holds(Relation::NotEqual, false, f32::NAN, 1.0) && holds(Relation::NotEqual, true, f32::NAN, 1.0));
        assert!(holds(Relation::Nan, false, 1.0, f32::NAN) && holds(Relation::Equal, false, 0.0, -0.0));
    }

    #[test]
    fn bits_are_extracted() {
        assert_eq!(extract(0x1234_5678, 8, 12), 0x456);
        assert_eq!(extract(0xffff_ffff_8000_0000, 31, 8), 1);
        assert_eq!(extract(0xffff_ffff, 0, 64), 0xffff_ffff);
        assert_eq!((extract(0xffff_ffff, 64, 4), extract(0xffff_ffff, 4, 0)), (0, 0));
    }

    #[test]
    fn bytes_are_permuted() {
        assert_eq!(permute(0x3322_1100, 0x7766_5544, 0x7610), 0x7766_1100);
        assert_eq!(permute(0x80, 0, 0x8880), 0xffff_ff80);
    }
}
