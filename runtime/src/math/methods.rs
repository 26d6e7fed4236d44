//! What kernels can call on scalars: the rows of the table, and the operators.

use half::{bf16, f16};
use swathe_ir::method_id;

use crate::kernel::Callee;
use crate::kernel::probe::Method;

/// `built_in! { [f32 f64] sqrt cbrt }`: code generation knows these methods of these types by name.
macro_rules! built_in {
    ($types:tt $($name:ident)*) => {
        $(built_in! { @one $name $types })*
    };
    (@one $name:ident [$($t:ident)*]) => {$(
        #[diagnostic::do_not_recommend]
        impl Method<{ method_id(stringify!($name)) }> for $t {
            fn callee() -> Callee {
                Callee::BuiltIn
            }
        }
    )*};
}

macro_rules! on {
    (Scalar $name:ident) => {
        built_in! { [i8 i16 i32 i64 isize u8 u16 u32 u64 usize f16 bf16 f32 f64] $name }
    };
    (Signed $name:ident) => {
        built_in! { [i8 i16 i32 i64 isize f16 bf16 f32 f64] $name }
    };
    (Float $name:ident) => {
        built_in! { [f16 bf16 f32 f64] $name }
    };
    (Int $name:ident) => {
        built_in! { [i8 i16 i32 i64 isize u8 u16 u32 u64 usize] $name }
    };
    (SignedInt $name:ident) => {
        built_in! { [i8 i16 i32 i64 isize] $name }
    };
    (UnsignedInt $name:ident) => {
        built_in! { [u8 u16 u32 u64 usize] $name }
    };
}

macro_rules! methods {
    (() $($kind:ident $on:ident { $(
        $(#[$doc:meta])* $name:ident($($arg:ident: $ty:ident),*) -> $result:ident,
        $ulp:expr, $($text_on:ident $text:literal),+;
    )* })*) => {
        $($(on! { $on $name })*)*
    };
}

swathe_ir::for_each_scalar_method!(methods);

built_in! {
    [i8 i16 i32 i64 isize u8 u16 u32 u64 usize f16 bf16 f32 f64]
    add sub mul div rem add_assign sub_assign mul_assign div_assign rem_assign
}
built_in! { [i8 i16 i32 i64 isize f16 bf16 f32 f64] neg }
built_in! { [bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f16 bf16 f32 f64] eq ne lt le gt ge }
built_in! {
    [bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize]
    not bitand bitor bitxor bitand_assign bitor_assign bitxor_assign
}
built_in! { [i8 i16 i32 i64 isize u8 u16 u32 u64 usize] shl shr shl_assign shr_assign }
built_in! { [f16 bf16] to_f32 to_f64 }
