//! Scalar types in CUDA C: Rust's names, as `typedef`s, where C++ has no short one of fixed width.

use swathe_ir::Scalar;

pub(super) const fn name(s: Scalar) -> &'static str {
    match s {
        Scalar::I32 => "int",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
        _ => s.name(),
    }
}

/// The unsigned type in which arithmetic on `s` wraps.
pub(super) const fn unsigned(s: Scalar) -> Scalar {
    match s {
        Scalar::I64 => Scalar::U64,
        Scalar::Isize => Scalar::Usize,
        Scalar::U64 | Scalar::Usize => s,
        _ => Scalar::U32,
    }
}

/// What the C++ of a scalar is called without the typedef.
pub(super) const TYPEDEFS: [(&str, &str); 9] = [
    ("i8", "signed char"),
    ("i16", "short"),
    ("i64", "long long"),
    ("isize", "long long"),
    ("u8", "unsigned char"),
    ("u16", "unsigned short"),
    ("u32", "unsigned int"),
    ("u64", "unsigned long long"),
    ("usize", "unsigned long long"),
];

/// Largest and smallest value of an integer type.
pub(super) const fn bounds(s: Scalar) -> (i128, i128) {
    let bits = 8 * s.size() as u32;
    if s.is_signed() {
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    } else {
        (0, (1 << bits) - 1)
    }
}
