//! Scalars as C++ writes them.

use half::{bf16, f16};
use swathe_ir::{Scalar, Type};

use super::scalar;
use super::value::{Effect, Value, prec};

/// An integer; `exact` asks for a text whose C++ type is the scalar's even where none is needed for its value.
pub(super) fn int(v: i128, s: Scalar, exact: bool) -> Value {
    let plain = i128::from(i32::MIN) < v && v <= i128::from(i32::MAX);
    let suffix = match s {
        _ if plain && !exact => "",
        Scalar::I32 | Scalar::I8 | Scalar::I16 | Scalar::U8 | Scalar::U16 => "",
        Scalar::U32 => "u",
        Scalar::I64 | Scalar::Isize => "ll",
        _ => "ull",
    };
    let (text, level) = if exact && s.size() < 4 {
        (format!("{}({v})", scalar::name(s)), prec::POSTFIX)
    } else if (s == Scalar::I32 && v == i128::from(i32::MIN)) || v == i128::from(i64::MIN) {
        // The literal without its sign would not fit.
        (format!("{}{suffix} - 1", v + 1), prec::ADD)
    } else {
        (format!("{v}{suffix}"), if v < 0 { prec::UNARY } else { prec::ATOM })
    };
    Value {
        lit: Some(v),
        arithmetic: true,
        ..Value::new(text, level, Type::Scalar(s), Effect::Stable)
    }
}

/// The number modulo that of the type's values; of other types than integers itself.
pub(super) fn wrapped(v: i128, s: Scalar) -> i128 {
    if !s.is_int() {
        return v;
    }
    let (least, most) = scalar::bounds(s);
    least + (v - least).rem_euclid(most - least + 1)
}

pub(super) fn float(v: f64, s: Scalar) -> Value {
    match s {
        Scalar::F16 => return bits(f16::from_f64(v).to_bits(), s),
        Scalar::Bf16 => return bits(bf16::from_f64(v).to_bits(), s),
        _ => {}
    }
    let double = s == Scalar::F64;
    let text = if double {
        special(v, "F64")
    } else {
        special(f64::from(v as f32), "F32")
    };
    let text = text.unwrap_or_else(|| {
        if double {
            format!("{v:?}")
        } else {
            format!("{:?}f", v as f32)
        }
    });
    let level = if text.starts_with('-') { prec::UNARY } else { prec::ATOM };
    Value::new(text, level, Type::Scalar(s), Effect::Stable)
}

/// An `f16` or `bf16`; by its bits, so that nothing is converted when the kernel runs.
fn bits(v: u16, s: Scalar) -> Value {
    Value::new(
        format!("{}_of({v:#06x})", scalar::name(s)),
        prec::POSTFIX,
        Type::Scalar(s),
        Effect::Stable,
    )
}

fn special(v: f64, name: &str) -> Option<String> {
    let sign = if v.is_sign_negative() { "-" } else { "" };
    if v.is_nan() {
        Some(format!("{name}_NAN"))
    } else if v.is_infinite() {
        Some(format!("{sign}{name}_INFINITY"))
    } else {
        None
    }
}

pub(super) fn bool(v: bool) -> Value {
    Value::new(
        if v { "true" } else { "false" },
        prec::ATOM,
        Type::Scalar(Scalar::Bool),
        Effect::Stable,
    )
}

/// The number `v` as a value of the scalar type.
pub(super) fn number(v: i128, s: Scalar) -> Value {
    match s {
        Scalar::Bool => bool(v != 0),
        _ if s.is_float() => float(v as f64, s),
        _ => int(v, s, false),
    }
}

/// The value whose memory is `bytes` (little-endian, `s.size()` of them).
pub(super) fn from_bytes(bytes: &[u8], s: Scalar) -> Value {
    let mut raw = [0; 8];
    let n = s.size().min(bytes.len());
    raw[..n].copy_from_slice(&bytes[..n]);
    let bits = u64::from_le_bytes(raw);
    match s {
        Scalar::F16 | Scalar::Bf16 => self::bits(bits as u16, s),
        Scalar::Bool => bool(bits != 0),
        Scalar::F32 => float(f64::from(f32::from_bits(bits as u32)), s),
        Scalar::F64 => float(f64::from_bits(bits), s),
        Scalar::I8 => int(i128::from(bits as i8), s, false),
        Scalar::I16 => int(i128::from(bits as i16), s, false),
        Scalar::I32 => int(i128::from(bits as i32), s, false),
        Scalar::I64 | Scalar::Isize => int(i128::from(bits as i64), s, false),
        _ => int(i128::from(bits), s, false),
    }
}
