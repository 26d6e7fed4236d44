//! The table of built-in methods on scalars: one row holds the Rust name, the operand and result types, the CUDA
//! spelling and the accuracy.

mod cuda;
mod table;

pub use cuda::{Cuda, Helper, cast, cuda_type};

use crate::op::BinOp;
use crate::ty::{Scalar, Type};

/// Identifies a method by its name in a const parameter (64-bit FNV-1a): `Method<{ method_id("sqrt") }>`.
#[must_use]
pub const fn method_id(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        i += 1;
    }
    hash
}

/// Which scalar types have a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// All numbers: everything except `bool`.
    Scalar,
    /// Floats and signed integers.
    Signed,
    /// All floats.
    Float,
    /// `f16`, `bf16`.
    Half,
    /// All integers.
    Int,
    /// Signed integers.
    SignedInt,
    /// Unsigned integers.
    UnsignedInt,
}

impl Operand {
    /// Whether the type is one of them.
    #[must_use]
    pub const fn covers(self, on: Scalar) -> bool {
        match self {
            Operand::Scalar => on.is_float() || on.is_int(),
            Operand::Signed => on.is_signed(),
            Operand::Float => on.is_float(),
            Operand::Half => on.is_half(),
            Operand::Int => on.is_int(),
            Operand::SignedInt => on.is_int() && on.is_signed(),
            Operand::UnsignedInt => on.is_int() && !on.is_signed(),
        }
    }
}

/// Type of a method's result or of a further argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultType {
    /// That of the receiver.
    Same,
    /// `bool`.
    Bool,
    /// `u32`.
    U32,
    /// `i32`.
    I32,
    /// `u64`.
    U64,
    /// `i64`.
    I64,
    /// `usize`.
    Usize,
    /// `f32`.
    F32,
    /// `f64`.
    F64,
    /// The unsigned integer of a float's width.
    Bits,
    /// The unsigned integer of an integer's width.
    Unsigned,
}

impl ResultType {
    /// The type that it means for a receiver of type `on`.
    #[must_use]
    pub fn on(self, on: Scalar) -> Type {
        Type::Scalar(self.scalar(on))
    }

    /// The type that it means for a receiver of type `on`.
    #[must_use]
    pub const fn scalar(self, on: Scalar) -> Scalar {
        match self {
            ResultType::Same => on,
            ResultType::Bool => Scalar::Bool,
            ResultType::U32 => Scalar::U32,
            ResultType::I32 => Scalar::I32,
            ResultType::U64 => Scalar::U64,
            ResultType::I64 => Scalar::I64,
            ResultType::Usize => Scalar::Usize,
            ResultType::F32 => Scalar::F32,
            ResultType::F64 => Scalar::F64,
            ResultType::Bits | ResultType::Unsigned => match on {
                Scalar::I8 => Scalar::U8,
                Scalar::I16 | Scalar::F16 | Scalar::Bf16 => Scalar::U16,
                Scalar::I32 | Scalar::F32 => Scalar::U32,
                Scalar::I64 | Scalar::F64 => Scalar::U64,
                Scalar::Isize => Scalar::Usize,
                other => other,
            },
        }
    }
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct ScalarMethod {
    /// Name in Rust.
    pub name: &'static str,
    /// Types that have it.
    pub on: Operand,
    /// Called on a value, `x.sqrt()`; else on the type, `T::from_f64(0.5)`.
    pub receiver: bool,
    /// Names of the arguments after the receiver.
    pub arg_names: &'static [&'static str],
    /// Types of the arguments after the receiver.
    pub args: &'static [ResultType],
    /// Type of the result.
    pub result: ResultType,
    /// Largest error of the CUDA function for `f32` and `f64`, in units in the last place; 0 where the operations are
    /// rounded as in Rust. The CUDA C++ Programming Guide of CUDA 12.8 and later states these, in its tables 17 and
    /// 18; for `asin`, `acos` and `powf` on `f32` older editions state more, which stands here. The row `log` is not
    /// the guide's: a quotient of two logarithms, each off by 1 unit, is off by 4 at most before its own rounding.
    pub ulp: [u32; 2],
    /// One short paragraph.
    pub doc: &'static str,
    texts: &'static [(Operand, &'static str)],
}

impl ScalarMethod {
    /// Whether the last argument divides, so that zero is an error.
    #[must_use]
    pub fn divides(&self, on: Scalar) -> bool {
        on.is_int() && division(self.name).is_some()
    }
}

/// The operator that a method of integers fails as, with the last argument as the divisor.
#[must_use]
pub fn division(name: &str) -> Option<BinOp> {
    match name {
        "div_euclid" | "div_ceil" => Some(BinOp::Div),
        "rem_euclid" => Some(BinOp::Rem),
        _ => None,
    }
}

macro_rules! rows {
    (() $($kind:ident $on:ident {
        $($(#[doc = $doc:literal])* $name:ident($($arg:ident: $ty:ident),*) -> $result:ident, $ulp:expr, $($text_on:ident $text:literal),+;)*
    })*) => {
        &[$($(ScalarMethod {
            name: stringify!($name),
            on: Operand::$on,
            receiver: has_receiver(stringify!($kind)),
            arg_names: &[$(stringify!($arg)),*],
            args: &[$(ResultType::$ty),*],
            result: ResultType::$result,
            ulp: $ulp,
            doc: concat!($($doc),*),
            texts: &[$((Operand::$text_on, $text)),+],
        },)*)*]
    };
}

const fn has_receiver(kind: &str) -> bool {
    kind.as_bytes()[0] != b'f'
}

const TABLE: &[ScalarMethod] = crate::for_each_scalar_method!(rows);

/// What `f16` and `bf16` alone have.
const HALF: &[ScalarMethod] = rows! { ()
    methods Half {
        /// As `f32`, which holds every value.
        to_f32() -> F32, [0, 0], Half "as";
        /// As `f64`, which holds every value.
        to_f64() -> F64, [0, 0], Half "as";
    }
};

/// The whole table, without the few rows that `f16` and `bf16` alone have.
#[must_use]
pub fn scalar_methods() -> &'static [ScalarMethod] {
    TABLE
}

/// The row for `name` on the scalar type `on`.
#[must_use]
pub fn scalar_method(name: &str, on: Scalar) -> Option<&'static ScalarMethod> {
    TABLE
        .iter()
        .chain(HALF)
        .find(|row| row.name == name && row.on.covers(on))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_scalar_has_two_rows_of_one_name() {
        for on in Scalar::ALL {
            for row in TABLE.iter().chain(HALF) {
                let n = TABLE
                    .iter()
                    .chain(HALF)
                    .filter(|r| r.name == row.name && r.on.covers(on))
                    .count();
                assert!(n <= 1, "{} on {}", row.name, on.name());
            }
        }
    }

    #[test]
    fn ids_differ() {
        let mut ids: Vec<_> = TABLE.iter().map(|row| (method_id(row.name), row.name)).collect();
        ids.sort_unstable();
        ids.dedup();
        assert!(ids.windows(2).all(|w| w[0].0 != w[1].0));
        assert_eq!(method_id(""), 0xcbf2_9ce4_8422_2325);
    }

    #[test]
    fn lookup_goes_by_type() {
        assert!(scalar_method("sqrt", Scalar::F32).is_some());
        assert!(scalar_method("sqrt", Scalar::I32).is_none());
        assert!(scalar_method("abs", Scalar::U8).is_none());
        assert!(scalar_method("lesser", Scalar::Bool).is_none());
        let bits = scalar_method("to_bits", Scalar::F64).unwrap();
        assert_eq!(bits.result.on(Scalar::F64), Type::Scalar(Scalar::U64));
        assert!(!scalar_method("from_f64", Scalar::F32).unwrap().receiver);
    }
}
