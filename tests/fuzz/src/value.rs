//! Values of the kernel language on the host.

use swathe::{bf16, f16};
use swathe_ir::{Scalar, Type};

/// A value; its type is that of the slot it comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `()`.
    Unit,
    /// `bool`.
    Bool(bool),
    /// An integer, always within its type.
    Int(Scalar, i128),
    /// `f32`.
    F32(f32),
    /// `f64`.
    F64(f64),
    /// `f16` or `bf16`, which an `f32` holds.
    Half(Scalar, f32),
    /// `Vector<T, N>`.
    Vector(Vec<Value>),
    /// `[T; N]`.
    Array(Vec<Value>),
    /// A tuple.
    Tuple(Vec<Value>),
    /// A struct's members by name.
    Struct(Vec<(String, Value)>),
}

impl Value {
    /// An integer of type `usize`.
    #[must_use]
    pub fn size(n: usize) -> Value {
        Value::Int(Scalar::Usize, n as i128)
    }

    /// The integer as an index.
    ///
    /// # Panics
    /// If it is none.
    #[must_use]
    pub fn index(&self) -> usize {
        match self {
            Value::Int(_, n) => usize::try_from(*n).expect("an index is no negative number"),
            other => panic!("an index, not {other:?}"),
        }
    }

    /// The integer.
    ///
    /// # Panics
    /// If it is none.
    #[must_use]
    pub fn int(&self) -> i128 {
        match self {
            Value::Int(_, n) => *n,
            other => panic!("an integer, not {other:?}"),
        }
    }

    /// The truth value.
    ///
    /// # Panics
    /// If it is none.
    #[must_use]
    pub fn truth(&self) -> bool {
        match self {
            Value::Bool(b) => *b,
            other => panic!("a truth value, not {other:?}"),
        }
    }

    /// Whether both have the same bits; all NaNs count as one, because the sign and payload of a new one are not defined.
    #[must_use]
    pub fn same(&self, other: &Value) -> bool {
        let all = |a: &[Value], b: &[Value]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b));
        match (self, other) {
            (Value::F32(a), Value::F32(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (Value::F64(a), Value::F64(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (Value::Half(_, a), Value::Half(_, b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (Value::Vector(a), Value::Vector(b))
            | (Value::Array(a), Value::Array(b))
            | (Value::Tuple(a), Value::Tuple(b)) => all(a, b),
            (Value::Struct(a), Value::Struct(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|((n, a), (m, b))| n == m && a.same(b))
            }
            _ => self == other,
        }
    }

    /// The value that lies in memory as Rust lays it out.
    ///
    /// # Panics
    /// If there are too few bytes, or the type is never in memory.
    #[must_use]
    pub fn from_bytes(ty: &Type, bytes: &[u8]) -> Value {
        let several = |ty: &Type, n: usize| (0..n).map(|k| Value::from_bytes(ty, &bytes[k * ty.size()..])).collect();
        match ty {
            Type::Unit => Value::Unit,
            Type::Scalar(s) => scalar(*s, bytes),
            Type::Vector(s, n) => Value::Vector(several(&Type::Scalar(*s), *n)),
            Type::Array(t, n) => Value::Array(several(t, *n)),
            Type::Struct(s) => Value::Struct(
                s.members
                    .iter()
                    .map(|m| (m.name.clone(), Value::from_bytes(&m.ty, &bytes[m.offset..])))
                    .collect(),
            ),
            other => panic!("`{other}` is not read from memory"),
        }
    }
}

fn scalar(s: Scalar, bytes: &[u8]) -> Value {
    let mut word = [0; 8];
    word[..s.size()].copy_from_slice(&bytes[..s.size()]);
    let word = u64::from_le_bytes(word);
    match s {
        Scalar::Bool => Value::Bool(word != 0),
        Scalar::F32 => Value::F32(f32::from_bits(word as u32)),
        Scalar::F64 => Value::F64(f64::from_bits(word)),
        Scalar::F16 => Value::Half(s, f16::from_bits(word as u16).to_f32()),
        Scalar::Bf16 => Value::Half(s, bf16::from_bits(word as u16).to_f32()),
        _ => Value::Int(s, wrap(s, i128::from(word))),
    }
}

/// The nearest value of a type of 16 bits.
#[must_use]
pub fn rounded(s: Scalar, x: f32) -> Value {
    Value::Half(
        s,
        match s {
            Scalar::F16 => f16::from_f32(x).to_f32(),
            _ => bf16::from_f32(x).to_f32(),
        },
    )
}

/// The number of type `s` that equals `n` modulo 2^bits.
#[must_use]
pub fn wrap(s: Scalar, n: i128) -> i128 {
    let bits = 8 * s.size() as u32;
    let low = n & ((1 << bits) - 1);
    if s.is_signed() && low >> (bits - 1) & 1 == 1 {
        low - (1 << bits)
    } else {
        low
    }
}

/// Least and largest number of an integer type.
#[must_use]
pub fn bounds(s: Scalar) -> (i128, i128) {
    let bits = 8 * s.size() as u32;
    if s.is_signed() {
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    } else {
        (0, (1 << bits) - 1)
    }
}
