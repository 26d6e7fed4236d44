//! `cvt` (9.7.9.21): from and to integers and floats.

use half::f16;

use super::float::Float;
use super::integer::Integer;
use super::rounding as exact;
use crate::operand::{Kind, Type};

/// A conversion, as its parts say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Conversion {
    pub to: Type,
    pub from: Type,
    /// 0 to the nearest, 1 to zero, 2 down, 3 up.
    pub rounding: u8,
    /// To an integer, as a float or not.
    pub integral: bool,
    pub ftz: bool,
    pub sat: bool,
}

/// Converts.
pub(crate) fn convert(c: &Conversion, a: u64) -> u64 {
    match (c.to.kind, c.from.kind) {
        (Kind::Float, Kind::Float) => between_floats(c, a),
        (Kind::Float, _) => {
            let value = integer(c.from, a);
            saturate(c, of_integer(c, value))
        }
        (_, Kind::Float) => to_integer(c, a),
        _ => {
            let value = integer(c.from, a);
            // The register keeps the sign of what is narrower than it.
            let value = if c.sat { limit(c.to, value) } else { value };
            c.to.extend(value as u64)
        }
    }
}

/// The host's casts round to the nearest.
fn of_integer(c: &Conversion, value: i128) -> u64 {
    let functions: [fn(i128) -> u64; 4] = match c.to.bits {
        16 => [
            exact::f16_of_integer::<0>,
            exact::f16_of_integer::<1>,
            exact::f16_of_integer::<2>,
            exact::f16_of_integer::<3>,
        ],
        32 => [
            |value| Float::bits(value as f32),
            exact::f32_of_integer::<1>,
            exact::f32_of_integer::<2>,
            exact::f32_of_integer::<3>,
        ],
        _ => [
            |value| Float::bits(value as f64),
            exact::f64_of_integer::<1>,
            exact::f64_of_integer::<2>,
            exact::f64_of_integer::<3>,
        ],
    };
    functions[usize::from(c.rounding & 3)](value)
}

fn integer(ty: Type, a: u64) -> i128 {
    match ty.kind {
        Kind::Signed => i128::from(ty.extend(a) as i64),
        _ => i128::from(ty.mask(a)),
    }
}

/// The nearest value of a type.
fn limit(ty: Type, value: i128) -> i128 {
    match ty.kind {
        Kind::Signed => value.clamp(
            i64::of(1 << 63).wide() >> (64 - ty.bits),
            i64::MAX.wide() >> (64 - ty.bits),
        ),
        _ => value.clamp(0, u64::MAX.wide() >> (64 - ty.bits)),
    }
}

/// A float's value; those of the other types are values of `f64`.
fn wide(c: &Conversion, a: u64) -> f64 {
    match c.from.bits {
        16 => f16::from_bits(a as u16).to_f64(),
        32 if c.ftz => f64::from(f32::from_bits(a as u32).flush()),
        32 => f64::from(f32::from_bits(a as u32)),
        _ => f64::from_bits(a),
    }
}

fn round(mode: u8, x: f64) -> f64 {
    match mode {
        0 => x.round_ties_even(),
        1 => x.trunc(),
        2 => x.floor(),
        _ => x.ceil(),
    }
}

fn between_floats(c: &Conversion, a: u64) -> u64 {
    let wide = wide(c, a);
    if c.to == c.from {
        // Without a rounding to an integer the value stays.
        let x = if c.integral { round(c.rounding, wide) } else { wide };
        let bits = match c.to.bits {
            16 => Float::bits(f16::from_f64(x)),
            32 => Float::bits(x as f32),
            _ => x.to_bits(),
        };
        return saturate(c, bits);
    }
    let narrowed: [fn(u64) -> u64; 4] = match c.to.bits {
        16 => [
            exact::f16_of_f64::<0>,
            exact::f16_of_f64::<1>,
            exact::f16_of_f64::<2>,
            exact::f16_of_f64::<3>,
        ],
        32 => [
            |a| Float::bits(f64::from_bits(a) as f32),
            exact::f32_of_f64::<1>,
            exact::f32_of_f64::<2>,
            exact::f32_of_f64::<3>,
        ],
        _ => return saturate(c, wide.to_bits()),
    };
    let bits = narrowed[usize::from(c.rounding & 3)](wide.to_bits());
    let bits = match c.to.bits {
        16 => Float::bits(f16::from_bits(bits as u16)),
        _ => {
            let x = f32::from_bits(bits as u32);
            Float::bits(if c.ftz { x.flush() } else { x })
        }
    };
    saturate(c, bits)
}

/// To `bf16`: a NaN is the one that the manual names.
pub(crate) fn bf16_of_f32<const R: u8>(a: u64) -> u64 {
    match f32::of(a).is_nan() {
        true => 0x7fff,
        false => exact::bf16_of_f32::<R>(a),
    }
}

/// Of `bf16`: its bits are the upper half.
pub(crate) fn f32_of_bf16(a: u64) -> u64 {
    Float::bits(f32::of(a << 16))
}

/// To 0 and 1, NaN to 0.
fn saturate(c: &Conversion, bits: u64) -> u64 {
    if !c.sat {
        return bits;
    }
    match c.to.bits {
        16 => Float::bits(f16::from_f32(clamp(f64::from(f16::from_bits(bits as u16))) as f32)),
        32 => Float::bits(clamp(f64::from(f32::from_bits(bits as u32))) as f32),
        _ => clamp(f64::from_bits(bits)).to_bits(),
    }
}

fn clamp(x: f64) -> f64 {
    if x > 0.0 { x.min(1.0) } else { 0.0 }
}

/// Always the nearest value of the type. NaN is zero, but where 64 bits are involved it is the sign's bit.
fn to_integer(c: &Conversion, a: u64) -> u64 {
    let x = round(c.rounding, wide(c, a));
    if x.is_nan() {
        return match c.from.bits == 64 || c.to.bits == 64 {
            true => 1 << (c.to.bits - 1),
            false => 0,
        };
    }
    // 2^100 is beyond every type, and a cast saturates.
    let value = x.clamp(-(2_f64.powi(100)), 2_f64.powi(100)) as i128;
    c.to.extend(limit(c.to, value) as u64)
}
