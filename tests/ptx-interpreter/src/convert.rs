//! Conversions.

use crate::operand::{Kind, Type};

/// `cvt`: integers are cut or extended, floats are rounded to the nearest, and to integers towards zero.
pub(crate) fn convert(to: Type, from: Type, a: u64) -> u64 {
    let float = |a: u64| match from.bits {
        32 => f64::from(f32::from_bits(a as u32)),
        _ => f64::from_bits(a),
    };
    match (to.kind, from.kind) {
        // By way of `f64` nothing is rounded twice.
        (Kind::Float, Kind::Float) => bits(to, float(a), float(a) as f32),
        (Kind::Float, Kind::Signed) => bits(to, from.extend(a) as i64 as f64, from.extend(a) as i64 as f32),
        (Kind::Float, _) => bits(to, from.mask(a) as f64, from.mask(a) as f32),
        (_, Kind::Float) => integer(to, float(a)),
        // The register keeps the type's sign.
        _ => from.extend(a),
    }
}

fn bits(to: Type, wide: f64, narrow: f32) -> u64 {
    if to.bits == 32 {
        u64::from(narrow.to_bits())
    } else {
        wide.to_bits()
    }
}

/// Saturates, as PTX does; NaN, of which PTX says nothing for every type, becomes bits that nobody expects.
fn integer(to: Type, a: f64) -> u64 {
    if a.is_nan() {
        return to.mask(0xdead_beef_dead_beef);
    }
    let shift = 64 - to.bits;
    match to.kind {
        Kind::Signed => to.mask((a as i64).clamp(i64::MIN >> shift, i64::MAX >> shift) as u64),
        _ => (a as u64).min(u64::MAX >> shift),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions() {
        let of = |to: &str, from: &str, a: u64| convert(Type::parse(to).unwrap(), Type::parse(from).unwrap(), a);
        assert_eq!(of("s16", "s8", 0x80), (-128_i64) as u64);
        assert_eq!(of("u32", "u64", 0x1_0000_0002), 0x1_0000_0002);
        assert_eq!(of("f32", "s32", 0xffff_ffff), u64::from((-1.0_f32).to_bits()));
        assert_eq!(of("f32", "u64", (1 << 24) + 1), u64::from(16_777_216_f32.to_bits()));
        assert_eq!(of("s32", "f32", u64::from((-1e20_f32).to_bits())), 0x8000_0000);
        assert_eq!(of("u32", "f64", (-1.0_f64).to_bits()), 0);
    }
}
