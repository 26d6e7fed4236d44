//! Types of random programs.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    U8,
    I8,
    I16,
    U32,
    I32,
    U64,
    I64,
    Usize,
    F32,
    F64,
    Bool,
    /// `struct Mine { a: u32, b: i64 }`.
    Mine,
    /// `Vec3`.
    V3,
}

pub const INTS: [Ty; 8] = [Ty::U8, Ty::I8, Ty::I16, Ty::U32, Ty::I32, Ty::U64, Ty::I64, Ty::Usize];
/// Those that fields hold; the first ones more often.
pub const ELEMENTS: [Ty; 14] = [
    Ty::U32,
    Ty::I32,
    Ty::U64,
    Ty::I64,
    Ty::U32,
    Ty::I32,
    Ty::U64,
    Ty::U8,
    Ty::I8,
    Ty::I16,
    Ty::F32,
    Ty::F64,
    Ty::Mine,
    Ty::V3,
];
pub const ATOMIC: [Ty; 5] = [Ty::U32, Ty::I32, Ty::U64, Ty::I64, Ty::Mine];

impl Ty {
    pub fn name(self) -> &'static str {
        match self {
            Ty::U8 => "u8",
            Ty::I8 => "i8",
            Ty::I16 => "i16",
            Ty::U32 => "u32",
            Ty::I32 => "i32",
            Ty::U64 => "u64",
            Ty::I64 => "i64",
            Ty::Usize => "usize",
            Ty::F32 => "f32",
            Ty::F64 => "f64",
            Ty::Bool => "bool",
            Ty::Mine => "Mine",
            Ty::V3 => "Vec3",
        }
    }

    pub fn is_int(self) -> bool {
        INTS.contains(&self)
    }

    pub fn is_float(self) -> bool {
        matches!(self, Ty::F32 | Ty::F64)
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64)
    }

    /// The largest number.
    pub fn max(self) -> &'static str {
        match self {
            Ty::U8 => "255",
            Ty::I8 => "127",
            Ty::I16 => "32767",
            Ty::U32 => "4294967295",
            Ty::I32 => "2147483647",
            Ty::I64 => "9223372036854775807",
            _ => "18446744073709551615",
        }
    }
}
