//! The table of built-in methods on scalars: one row holds the Rust name, the operand and result types, the CUDA
//! spelling and the accuracy.

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
    /// `f32`, `f64`.
    Float,
    /// All integers.
    Int,
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
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct ScalarMethod {
    /// Name in Rust.
    pub name: &'static str,
    /// Types that have it.
    pub on: Operand,
    /// Types of the arguments after the receiver.
    pub args: &'static [ResultType],
    /// Type of the result.
    pub result: ResultType,
}

/// The whole table.
#[must_use]
pub fn scalar_methods() -> &'static [ScalarMethod] {
    &[]
}

/// The row for `name` on the scalar type `on`.
#[must_use]
pub fn scalar_method(name: &str, on: Scalar) -> Option<&'static ScalarMethod> {
    let _ = (name, on);
    None
}

impl ResultType {
    /// The type that it means for a receiver of type `on`.
    #[must_use]
    pub fn on(self, on: Scalar) -> Type {
        Type::Scalar(match self {
            ResultType::Same => on,
            ResultType::Bool => Scalar::Bool,
            ResultType::U32 => Scalar::U32,
            ResultType::I32 => Scalar::I32,
        })
    }
}
