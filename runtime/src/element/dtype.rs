//! The scalar types of arrays, as values.

use std::fmt;

use half::{bf16, f16};
use num_complex::{Complex32, Complex64};
use swathe_ir::Type;

use super::KernelType;
use super::external::External;

/// Calls a macro with every type that an array's elements may have, and its name as a variant. A type is added here.
macro_rules! for_each_dtype {
    ($callback:ident) => {
        $callback! {
            bool Bool; i8 I8; i16 I16; i32 I32; i64 I64; u8 U8; u16 U16; u32 U32; u64 U64; f16 F16; bf16 Bf16; f32 F32;
            f64 F64; Complex32 ComplexF32; Complex64 ComplexF64;
        }
    };
}
pub(crate) use for_each_dtype;

/// How the type is written, where an alias stands for it in the table.
macro_rules! written {
    (Complex32) => {
        "Complex<f32>"
    };
    (Complex64) => {
        "Complex<f64>"
    };
    ($t:ident) => {
        stringify!($t)
    };
}
pub(crate) use written;

macro_rules! table {
    ($($t:ident $variant:ident;)*) => {
        /// The type of an array's scalars.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum DType {
            $(#[doc = concat!("`", written!($t), "`.")] $variant,)*
        }

        impl DType {
            /// All of them.
            pub const ALL: &[DType] = &[$(DType::$variant),*];

            /// Its name in Rust.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(DType::$variant => written!($t),)*
                }
            }

            /// Size of a scalar in bytes.
            #[must_use]
            pub const fn size(self) -> usize {
                match self {
                    $(DType::$variant => size_of::<$t>(),)*
                }
            }

            /// Equal numbers that a scalar consists of.
            pub(crate) fn parts(self) -> usize {
                match self {
                    $(DType::$variant => <$t>::AXES.parts(),)*
                }
            }

            /// The one that arrays of this type hold, if it is a scalar.
            pub(crate) fn of(ty: &Type) -> Option<DType> {
                $(if *ty == <$t>::ty() {
                    return Some(DType::$variant);
                })*
                None
            }
        }
    };
}

for_each_dtype!(table);

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
